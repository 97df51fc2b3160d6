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
    passed = {finding.name for finding in findings if finding.outcome == "passed"}
    names = {point.name for point in CHECKS}
    if spec.empty:
        assert passed == {"stores", "unusual text"}
    else:
        inapplicable = {"k"} if spec.k == "own" else set()
        assert passed == names - inapplicable - (set() if spec.model_calls else {"bad replies"})
