"""Installing: what it says, interruptions of every kind, no network, and nothing of the user's touched."""

from __future__ import annotations

import hashlib
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import uv

from memjoin.errors import MemJoinError
from memjoin.systems import environments
from memjoin.systems.spec import SystemSpec
from wheels import make_wheel

Folder = Callable[..., SystemSpec]

INSTALL = """
import signal, sys, uv
signal.signal(signal.SIGINT, signal.default_int_handler)
slow, folder = sys.argv[1:]
uv.find_uv_bin = lambda: slow
from memjoin.cli import main
sys.argv[1:] = ["systems", "install", folder]
main()
"""

SLOW_UV = """#!/bin/sh
# A uv that makes environments, but never comes to an end with what goes into them.
if [ "$1" = venv ]; then exec "{uv}" "$@"; fi
while [ "$1" != --python ]; do shift; done
touch "$(dirname "$2")/half-made"
echo begun > "{pipe}"
exec sleep 1000
"""


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMJOIN_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv-cache"))
    return tmp_path / "cache"


def locked(folder: Folder, source: str, wheel: Path, name: str = "tiny", digest: str = "") -> SystemSpec:
    """A system whose lock lists one package from a source, with its hash."""
    spec = folder(name=name)
    assert spec.folder is not None
    digest = digest or hashlib.sha256(wheel.read_bytes()).hexdigest()
    (spec.folder / "tiny.lock").write_text(f"{source}\npebble==1.0 \\\n    --hash=sha256:{digest}\n")
    return folder(name=name, head="import pebble", toml='lock = "tiny.lock"')


@pytest.fixture
def tiny(folder: Folder, tmp_path: Path) -> SystemSpec:
    return locked(folder, f"--no-index\n--find-links {tmp_path}", make_wheel(tmp_path))


@pytest.fixture
def begun(tiny: SystemSpec, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """`memjoin systems install`, in the middle of it."""
    pipe, slow = tmp_path / "pipe", tmp_path / "slow-uv"
    os.mkfifo(pipe)
    slow.write_text(SLOW_UV.format(uv=uv.find_uv_bin(), pipe=pipe))
    slow.chmod(0o755)
    command = [sys.executable, "-c", INSTALL, str(slow), str(tiny.folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        try:
            descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
            assert select.select([descriptor], [], [], 30.0)[0], "uv was not started"
            os.close(descriptor)
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def environment(spec: SystemSpec) -> Path:
    path = environments.status(spec).path
    assert path is not None
    return path


def test_what_is_said(tiny: SystemSpec) -> None:
    said: list[str] = []
    environments.install([tiny], said.append)
    assert said[0] == "tiny: making its environment (1 package)"
    assert said[-1].startswith("tiny: installed (1 package, ")
    assert said[-1].endswith(" s)")
    again: list[str] = []
    environments.install([tiny], again.append)
    assert len(again) == 1
    assert again[0].endswith("MB, was there)")


def test_where_one_cannot_be_made_the_others_are(folder: Folder, tiny: SystemSpec, tmp_path: Path) -> None:
    source = f"--no-index\n--find-links {tmp_path}"
    wheel = tmp_path / "pebble-1.0-py3-none-any.whl"
    wrong = [locked(folder, source, wheel, name, "0" * 64) for name in ("one", "two")]
    said: list[str] = []
    with pytest.raises(MemJoinError, match=r"(?s)one: its environment .*two: its environment") as raised:
        environments.install([wrong[0], tiny, wrong[1]], said.append)
    assert "repeat the command" in raised.value.hint
    assert environments.status(tiny).ready
    assert "one: not installed" in said
    with pytest.raises(MemJoinError, match=r"(?i)hash"):
        environments.install(wrong[:1], said.append)


def test_a_kill_in_the_middle_leaves_nothing_that_is_used(
    begun: subprocess.Popen[str], tiny: SystemSpec
) -> None:
    path = environment(tiny)
    os.killpg(begun.pid, signal.SIGKILL)
    begun.wait()
    (half,) = path.parent.glob("*/bin/half-made")
    assert half.is_relative_to(path.parent)
    assert not path.exists()
    assert not environments.status(tiny).ready
    environments.install([tiny], lambda line: None)
    assert environments.status(tiny).ready
    assert not list(path.parent.glob("*/bin/half-made"))
    assert sorted(entry.name for entry in path.parent.iterdir()) == [path.name, f"{path.name}.lock"]


def test_ctrl_c_in_the_middle_says_how_to_go_on(begun: subprocess.Popen[str], tiny: SystemSpec) -> None:
    path = environment(tiny)
    os.killpg(begun.pid, signal.SIGINT)
    out, err = begun.communicate()
    assert begun.returncode == 130, err
    assert out.splitlines() == ["tiny: making its environment (1 package)"]
    assert err.splitlines() == ["Stopped. What is installed stays; repeat the command to go on."]
    assert [entry.name for entry in path.parent.iterdir()] == [f"{path.name}.lock"]
    environments.install([tiny], lambda line: None)
    assert environments.status(tiny).ready


class Quiet(SimpleHTTPRequestHandler):
    """Serves files, and says nothing of it."""

    def log_message(self, *arguments: object) -> None:
        pass


def test_what_was_downloaded_once_needs_no_network(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages = tmp_path / "index" / "pebble"
    pages.mkdir(parents=True)
    wheel = make_wheel(pages)
    (pages / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    for proxy in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(pages.parent))) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        spec = locked(folder, f"--index-url http://127.0.0.1:{server.server_port}", wheel)
        said: list[str] = []
        environments.install([spec], said.append)
        server.shutdown()
        thread.join()
    assert "tiny: downloading its packages" in said
    monkeypatch.setenv("MEMJOIN_CACHE_DIR", str(tmp_path / "another"))
    assert not environments.status(spec).ready
    said.clear()
    environments.install([spec], said.append)
    assert environments.status(spec).ready
    assert not any("downloading" in line for line in said)


def test_the_larger_downloads_are_told_one_by_one(
    tiny: SystemSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    telling = tmp_path / "telling-uv"
    telling.write_text(
        "#!/bin/sh\n"
        'case "$*" in *--offline*) exit 1;; *sync*) echo "Downloading numpy (16.1MiB)" >&2;; esac\n'
        f'exec "{uv.find_uv_bin()}" "$@"\n'
    )
    telling.chmod(0o755)
    monkeypatch.setattr(uv, "find_uv_bin", lambda: str(telling))
    said: list[str] = []
    environments.install([tiny], said.append)
    assert said[1:3] == ["tiny: downloading its packages", "tiny: downloading numpy (16.1MiB)"]


def test_the_user_s_own_environment_is_not_touched(
    tiny: SystemSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, home = tmp_path / "own", tmp_path / "home"
    home.mkdir()
    subprocess.run([uv.find_uv_bin(), "venv", "--quiet", "--python", sys.executable, own], check=True)

    def everything() -> list[tuple[str, int]]:
        files = [*own.rglob("*"), *home.rglob("*"), *Path(sys.prefix).glob("lib/python*/site-packages/*")]
        return sorted((str(path), path.lstat().st_mtime_ns) for path in files)

    before = everything()
    monkeypatch.setenv("VIRTUAL_ENV", str(own))
    monkeypatch.setenv("UV_SYSTEM_PYTHON", "1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    environments.install([tiny], lambda line: None)
    assert environments.status(tiny).ready
    assert everything() == before


def test_the_hashes_cannot_be_lifted_by_a_variable(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel(tmp_path)
    spec = locked(folder, f"--no-index\n--find-links {tmp_path}", wheel, digest="0" * 64)
    monkeypatch.setenv("UV_NO_VERIFY_HASHES", "1")
    with pytest.raises(MemJoinError, match=r"(?i)hash"):
        environments.install([spec], lambda line: None)
