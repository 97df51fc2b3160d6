"""Every system of ours keeps the contract: in its real environment, with the embedded writer and embedder."""

from __future__ import annotations

import pytest

from memjoin.runs.check import check_system
from memjoin.systems import registry
from memjoin.systems.contract.points import CHECKS
from memjoin.systems.spec import SystemSpec


@pytest.mark.parametrize("spec", registry.known(), ids=lambda spec: spec.name)
def test_it_keeps_the_contract(spec: SystemSpec) -> None:
    findings = list(check_system(spec))
    assert [finding.name for finding in findings] == [point.name for point in CHECKS]
    assert [finding for finding in findings if finding.outcome == "failed"] == []
    inapplicable = {finding.name for finding in findings if finding.outcome == "not applicable"}
    expected = {"k"} if spec.k == "own" else set()
    assert inapplicable == expected | (set() if spec.model_calls else {"bad replies"})
