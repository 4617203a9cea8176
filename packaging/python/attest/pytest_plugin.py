"""Attention kernels as tests: pytest collects what `attest.kernel` marks and has it judged.

    import attest, mine

    @attest.kernel(like="softmax", torch=True)
    def attention(q, k, v, *, causal=False):
        return mine.attention(q, k, v, causal=causal)

A marked function at the top level of a test file is one test, whatever its name; it fails with the judge's findings.
Where Attest is installed as a package pytest loads this by itself; elsewhere `pytest -p attest.pytest_plugin`.
"""
from __future__ import annotations

import inspect

import pytest

import attest


class KernelFindings(Exception):
    """The judge's findings, as they are shown."""


KEPT = "attest.kernel(..., out=FOLDER) keeps this case, with the command that puts it again"


def counted(count, noun):
    return f"{count} {noun}" + ("" if count == 1 else "s")


def sentence(finding):
    parts = [f"{finding['class']}: {finding['message']}", f"    smallest case: {finding['smallest']}",
             "    " + finding.get("reproduce", KEPT)]
    return "\n".join(parts)


class KernelItem(pytest.Item):
    def __init__(self, *, function, asked, **keywords):
        super().__init__(**keywords)
        self.function, self.asked = function, dict(asked)
        self.add_marker("attest")

    def runtest(self):
        budget = self.config.getoption("--attest-budget")
        if budget:
            self.asked["budget"] = budget
        judgement = attest.judge(self.function, **self.asked)
        self.add_report_section("call", "attest", f"{counted(judgement.document['cases'], 'case')}, {counted(judgement.document['calls'], 'call')}")
        if not judgement.passed:
            raise KernelFindings("\n".join(sentence(finding) for finding in judgement.findings))

    def repr_failure(self, excinfo, style=None):
        if excinfo.errisinstance((KernelFindings, attest.Error)):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        line = inspect.getsourcelines(inspect.unwrap(self.function))[1] - 1
        return self.path, line, f"{self.name} as {self.asked['like']}"


def pytest_addoption(parser):
    parser.getgroup("attest").addoption("--attest-budget", choices=["quick", "standard"],
                                        help="for every kernel, instead of its own: quick or standard")


def pytest_configure(config):
    config.addinivalue_line("markers", "attest: an attention kernel that the judge looks at")


def pytest_pycollect_makeitem(collector, name, obj):
    asked = getattr(obj, "__attest_kernel__", None)
    if asked is None or not inspect.isfunction(obj) or not isinstance(collector, pytest.Module):
        return None
    return [KernelItem.from_parent(collector, name=name, function=obj, asked=asked)]
