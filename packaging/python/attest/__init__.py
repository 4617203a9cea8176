"""Attest from Python: every call runs the program `attest` and returns what it printed as data.

    >>> import attest
    >>> attest.try_("forall x, y in R: abs(gelu(x) - gelu(y)) <= abs(x - y)").verdict
    'refuted'

Nothing is compiled. The program is the one that ATTEST_PROGRAM names, else `attest` in PATH. NumPy is needed by `apply`
and `judge` alone.
"""
from __future__ import annotations

import dataclasses
import inspect
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Callable, Mapping, Sequence

__all__ = ["Claim", "Error", "Judgement", "Record", "Trial", "apply", "check", "judge", "kernel", "program", "statements", "try_"]


class Error(RuntimeError):
    """The program refused; the message is its sentence, `code` its exit status (2 bad input, 3 a file or device)."""

    def __init__(self, sentence: str, code: int):
        super().__init__(sentence)
        self.code = code


@dataclasses.dataclass(frozen=True)
class Trial:
    """A statement of one's own, judged. `stands`: certified or supported. `witness`: where it fails, or None."""

    verdict: str
    stands: bool
    reason: str
    reading: str
    domain: str
    witness: Mapping[str, Any] | None
    repair: Mapping[str, Any] | None
    document: Mapping[str, Any] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Claim:
    """A statement of a paper as results.json has it; `document` is all of that."""

    id: str
    paper: str
    label: str
    title: str
    kind: str
    statement: str
    printed: bool
    expected: str
    finding: str | None
    verdict: str | None
    document: Mapping[str, Any] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Record:
    """A run of `check`. `as_recorded`: every verdict is the one on record and every near-miss was caught."""

    as_recorded: bool
    claims: Sequence[Claim]
    suite: Mapping[str, Any]
    document: Mapping[str, Any] = dataclasses.field(repr=False)


@dataclasses.dataclass(frozen=True)
class Judgement:
    """What the judge of implementations found; without findings the implementation passed."""

    passed: bool
    findings: Sequence[Mapping[str, Any]]
    document: Mapping[str, Any] = dataclasses.field(repr=False)


def program() -> str:
    """The program's path. Raises Error where there is none."""
    named = os.environ.get("ATTEST_PROGRAM")
    found = shutil.which(named or "attest")
    if not found and named:
        raise Error(f"ATTEST_PROGRAM names {named}, which is not a program that can be run: name the path of attest", 3)
    if not found:
        raise Error("the program attest was not found: install it, or name it in ATTEST_PROGRAM", 3)
    return found


def _run(arguments: Sequence[str], accepted: Sequence[int]) -> subprocess.CompletedProcess:
    for word in arguments:
        if not isinstance(word, (str, os.PathLike)):
            raise Error(f"{word!r} is not text: statements, patterns and names are given as text", 2)
    try:
        done = subprocess.run([program(), *arguments], capture_output=True, text=True, check=False)
    except (OSError, ValueError) as error:
        raise Error(f"attest could not be run: {error}", 3) from None
    if done.returncode not in accepted:
        sentence = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"attest ended with {done.returncode}"
        raise Error(sentence.removeprefix("attest: "), done.returncode)
    return done


def _options(**given: Any) -> list[str]:
    words: list[str] = []
    for name, value in given.items():
        if value is not None:
            words += ["--" + name.replace("_", "-"), str(value)]
    return words


def _claim(document: Mapping[str, Any]) -> Claim:
    names = [field.name for field in dataclasses.fields(Claim) if field.name != "document"]
    return Claim(**{name: document.get(name) for name in names}, document=document)


def try_(statement: str, *, budget: str | None = None, seed: int | None = None) -> Trial:
    """Judges a statement in Attest's language, or the file that holds it. Raises Error when it cannot be read."""
    words = ["try", "--json", *_options(budget=budget, seed=seed), "--", statement]
    document = json.loads(_run(words, (0, 1, 4)).stdout)
    names = [field.name for field in dataclasses.fields(Trial) if field.name != "document"]
    return Trial(**{name: document.get(name) for name in names}, document=document)


def statements(*patterns: str, paper: str | None = None, finding: str | None = None, words: str | None = None) -> list[Claim]:
    """The statements that `attest list` finds; none of them is judged, so `verdict` is None."""
    arguments = ["list", "--json", *_options(paper=paper, finding=finding, grep=words), "--", *patterns]
    return [_claim(each) for each in json.loads(_run(arguments, (0,)).stdout)]


def check(*patterns: str, paper: str | None = None, budget: str = "quick", seed: int | None = None,
          since: str | os.PathLike | None = None) -> Record:
    """Judges statements of the papers: all of them without patterns and paper."""
    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        arguments = ["check", *_options(paper=paper, budget=budget, seed=seed, since=since, out=folder), "--", *patterns]
        done = _run(arguments, (0, 1))
        document = json.loads((pathlib.Path(folder) / "results.json").read_text())
    return Record(done.returncode == 0, [_claim(each) for each in document["claims"]], document["suite"], document)


def apply(mechanism: str, arrays: Mapping[str, Any], *, gradients: bool = False, dtype: str | None = None,
          layout: str | None = None, **settings: Any) -> dict[str, Any]:
    """Runs an attention mechanism on NumPy arrays: {"q": ..., "k": ..., "v": ...} to {"out": ...}, with `gradients` also
    "loss" and "grad.q", ... `settings` are the mechanism's options, such as causal=True."""
    import numpy

    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        given, found = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
        numpy.savez(given, **{name: numpy.asarray(array) for name, array in arrays.items()})
        words = ["apply", mechanism, "--input", given, "--output", found, *_options(dtype=dtype, layout=layout)]
        words += ["--grad"] if gradients else []
        for name, value in settings.items():
            words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
        _run(words, (0,))
        with numpy.load(found) as results:
            return {name: results[name] for name in results.files}


def _target(function: Callable[..., Any]) -> str:
    """How the program is told of a function. Raises Error where another process cannot find it."""
    if not callable(function):
        raise Error(f"{function!r} is not a function: hand over f(q, k, v, **options)", 2)
    target = inspect.unwrap(function)
    if not inspect.isfunction(target) or "." in target.__qualname__ or target.__name__ == "<lambda>":
        name = getattr(target, "__qualname__", repr(target))
        raise Error(f"{name} cannot be called from another process: define a function at the top level of a file", 2)
    file = inspect.getsourcefile(target)
    if file is None or not os.path.isfile(file):
        raise Error(f"{target.__name__} was not defined in a file, from which another process could import it: write it into "
                    "one", 2)
    return f"python:{file}:{target.__name__}"


def judge(function: Callable[..., Any], like: str = "softmax", *, torch: bool = False, budget: str = "quick",
          seed: int | None = None, out: str | os.PathLike | None = None, **settings: Any) -> Judgement:
    """Judges an attention implementation f(q, k, v, **options): a function at the top level of a file, since the judge
    imports that file in a process of its own, by this interpreter. In a script call `judge` under
    `if __name__ == "__main__":`, or that import would call it again. `out` is a folder for the cases of findings, which
    then say where theirs is (`case`) and what command puts it again (`reproduce`)."""
    target = _target(function)
    with tempfile.TemporaryDirectory(prefix="attest-") as folder:
        answer = os.path.join(folder, "judgement.json")
        words = ["judge", target, "--as", like, "--python", sys.executable, "--json", answer,
                 *_options(budget=budget, seed=seed, out=os.path.join(folder, "cases") if out is None else out)]
        words += ["--torch"] if torch else []
        for name, value in settings.items():
            words += ["--set", f"{name}={str(value).lower() if isinstance(value, bool) else value}"]
        done = _run(words, (0, 1))
        document = json.loads(pathlib.Path(answer).read_text())
    if out is None:  # the cases went with the folder
        for finding in document.get("findings", []):
            del finding["case"], finding["reproduce"]
    return Judgement(done.returncode == 0, document.get("findings", []), document)


def kernel(like: str = "softmax", *, torch: bool = False, budget: str = "quick", seed: int | None = None,
           out: str | os.PathLike | None = None, **settings: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Marks an attention implementation at the top level of a file as a test: pytest then has `judge` look at it, with
    these arguments. The function itself stays as it is."""
    def mark(function: Callable[..., Any]) -> Callable[..., Any]:
        function.__attest_kernel__ = dict(like=like, torch=torch, budget=budget, seed=seed, out=out, **settings)
        return function
    return mark
