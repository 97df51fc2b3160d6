"""Names of systems, and what their folders say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from memjoin.errors import MemJoinError
from memjoin.systems import describe, registry
from memjoin.systems.errors import UnknownSystem
from memjoin.systems.spec import SystemSpec, read_folder

Folder = Callable[..., SystemSpec]


def test_ours_are_known() -> None:
    known = registry.known()
    names = [spec.name for spec in known if not spec.reference]
    assert names == sorted(names)
    assert [spec.name for spec in known][len(names) :] == ["bm25", "none", "verbatim"]
    ours = {"amem", "langmem", "mem0", "memgpt", "memorybank:repository", "simplemem"}
    assert {*ours, "memorybank:paper"} <= set(names)
    assert {spec.name for spec in registry.defaults()} >= ours
    assert set(names) == {"amem", "langmem", "mem0", "memgpt", "memorybank:paper", *THE_REST}


THE_REST = ("memorybank:repository", "simplemem")


def test_a_run_that_names_no_system_measures_all_six_and_the_references() -> None:
    assert [spec.name for spec in registry.defaults()] == [
        *("amem", "langmem", "mem0", "memgpt", "memorybank:repository", "simplemem"),
        *("bm25", "none", "verbatim"),
    ]


@pytest.mark.parametrize("spec", registry.known(), ids=lambda spec: spec.name)
def test_every_system_is_described(spec: SystemSpec) -> None:
    assert spec.folder is not None
    assert (spec.folder / "README.md").exists()
    for value in (spec.title, spec.version, spec.licence, spec.description, spec.clock):
        assert value
    assert spec.exports
    assert spec.retrieves
    assert spec.model_calls is not None
    assert spec.adapter.startswith("memjoin.systems.")
    if spec.model_calls:
        assert registry.load_responder(spec) is not None
    text = "\n".join(describe.lines(spec))
    for value in (spec.name, spec.licence, spec.exports, spec.retrieves, *spec.deviations):
        assert value in text


def test_finding_imports_nothing_of_a_system() -> None:
    script = (
        "import sys; from memjoin.systems import registry; registry.known(); registry.find('mem0');"
        "heavy = {'numpy', 'httpx', 'openai', 'onnxruntime', 'memjoin.systems.launch'};"
        "print(sorted(m for m in sys.modules if m in heavy or m.startswith('memjoin.systems.mem')))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_bare_name_is_one_of_the_configurations() -> None:
    assert registry.find("memorybank") == registry.find("memorybank:repository")
    assert registry.find("memorybank:paper").configuration == "paper"
    assert registry.find(" verbatim ").name == "verbatim"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("mem1", "there is no memory system 'mem1'. Did you mean mem0"),
        ("Verbatm", "there is no memory system 'Verbatm'. Did you mean verbatim?"),
        ("zzz", "there is no memory system 'zzz'."),
        ("", "there is no memory system ''."),
        (
            "a_module_that_is_not_there:Memory",
            "there is no memory system 'a_module_that_is_not_there:Memory'.",
        ),
        ("__main__:Memory", "there is no memory system '__main__:Memory'."),
        ("mem0:Memory", "there is no system 'mem0:Memory'"),
        ("memorybank:papr", "there is no system 'memorybank:papr'"),
        ("./nowhere", "./nowhere is no folder of a memory system"),
        ("exec:", "`exec:` names no command"),
        ("exec: 'unclosed", "cannot read the command"),
        ("exec: no-such-program --flag", "there is no program 'no-such-program'"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(UnknownSystem) as raised:
        registry.find(name)
    assert raised.value.message.startswith(message)
    assert raised.value.hint


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(UnknownSystem) as raised:
        registry.find("zzz")
    for spec in registry.known():
        assert spec.name in raised.value.hint
    with pytest.raises(UnknownSystem) as raised:
        registry.find("memorybank:papr")
    assert raised.value.hint == "There is memorybank:paper and memorybank:repository."


def test_a_program() -> None:
    spec = registry.find("exec:  sh -c 'read x'")
    assert (spec.name, spec.kind, spec.command) == ("exec: sh -c 'read x'", "exec", ("sh", "-c", "read x"))


def test_a_class_of_an_installed_package() -> None:
    spec = registry.find("memjoin.systems.verbatim.adapter:Verbatim")
    assert (spec.kind, spec.adapter) == ("in-process", "memjoin.systems.verbatim.adapter:Verbatim")


def test_a_folder(folder: Folder) -> None:
    made = folder()
    assert registry.find(str(made.folder)) == made
    with pytest.raises(UnknownSystem, match="has no configuration 'other'"):
        registry.find(f"{made.folder}:other")


def test_a_folder_with_configurations(folder: Folder) -> None:
    toml = (
        'default = true\ndefault_configuration = "a"\n[options]\nx = 1\ny = 1\n'
        '[configurations.a]\noptions = { y = 2 }\n[configurations.b]\ndefault = false\nk = "own"\nk_own = 2'
    )
    place = folder(toml=toml).folder
    first, second = registry.find(f"{place}:a"), registry.find(f"{place}:b")
    assert registry.find(str(place)) == first
    assert (first.name, first.default, first.k, first.k_own) == ("tiny:a", True, "honoured", None)
    assert (second.name, second.default, second.k, second.k_own) == ("tiny:b", False, "own", 2)
    assert (first.options, second.options) == ({"x": 1, "y": 2}, {"x": 1, "y": 1})


def test_installed_packages_bring_systems(
    folder: Folder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(name="brought")
    (tmp_path / "brought" / "__init__.py").write_text("raise AssertionError('must not be imported')")
    monkeypatch.syspath_prepend(str(tmp_path))
    points = [
        EntryPoint("own", "memjoin.systems.verbatim.adapter:Verbatim", registry.GROUP),
        EntryPoint("packed", "brought", registry.GROUP),
        EntryPoint("mem0", "impostor:Memory", registry.GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: points)
    own, packed = registry.find("own"), registry.find("packed")
    assert (own.kind, own.adapter) == ("in-process", "memjoin.systems.verbatim.adapter:Verbatim")
    assert (packed.kind, packed.adapter, packed.folder) == (
        "worker",
        "brought.adapter:Tiny",
        tmp_path / "brought",
    )
    assert registry.find("mem0").kind == "worker"


def test_an_installed_package_that_cannot_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("odd", "a_module_that_is_not_there.part", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [point])
    with pytest.raises(MemJoinError, match="a_module_that_is_not_there"):
        registry.known()


def test_an_installed_package_without_a_description(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint("odd", "json", group)])
    with pytest.raises(MemJoinError, match=r"json has no system\.toml"):
        registry.known()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = ", "is not TOML"),
        ('title = "T"\ndescription = "D"', "'adapter' is missing"),
        ('title = "T"\ndescription = "D"\nadapter = "adapter"', "'adapter' must be `module:name`"),
        ('title = "T"\ncolour = "red"', "unknown key 'colour'; known are title"),
        ("title = 3", "'title' must be of type str"),
        ("k_own = true", "'k_own' must be of type int"),
        ('title = "T"\ndescription = "D"\nadapter = "a:B"\nk = "mine"', "'k' must be one of honoured, own"),
        ('title = "T"\ndescription = "D"\nadapter = "a:B"\nlock = "no"', "the lock file 'no' does not exist"),
        (
            'default_configuration = "b"\n[configurations.a]',
            "default_configuration must be one of a, not 'b'",
        ),
        ('default_configuration = "a"\n[configurations]\na = 1', "configurations.a: must be a table"),
        ('default_configuration = "a"\n[configurations.a]\nq = 1', "configurations.a: unknown key 'q'"),
    ],
)
def test_a_description_that_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "system.toml").write_text(text)
    with pytest.raises(MemJoinError) as raised:
        read_folder(tmp_path, "tiny")
    assert str(tmp_path / "system.toml") in raised.value.message
    assert message in raised.value.message


def test_a_description_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MemJoinError, match="cannot be read"):
        read_folder(tmp_path, "tiny")
