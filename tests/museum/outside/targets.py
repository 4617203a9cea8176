"""What was written by others who knew the README alone: implementations in as many styles as projects have, and faults.

Each file says in its first lines how it wants to be judged (`judge: OPTIONS`) and which findings it deserves (`known: CLASS`).
"""
import csv
import pathlib
import platform
import re
import shlex
import subprocess
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent


class Outside(NamedTuple):
    name: str
    where: str          # as `attest judge` takes it; a path of C source for libraries
    options: tuple = ()
    known: tuple = ()
    wanted: str = ""    # the class of a fault
    macro: str = ""     # that plants it


def told(path, word):
    found = re.search(rf"^(?:#|/\*) {word}: *(.*?) *(?:\*/)?$", path.read_text(), re.MULTILINE)
    return found[1] if found else ""


def right():
    for folder in ("in_numpy", "in_torch", "models_in_torch", "other_mechanisms"):
        for path in sorted((HERE / folder).glob("*.py")):
            known = told(path, "known")
            yield Outside(f"outside_{folder}_{path.stem}", f"python:{path}:attention", tuple(shlex.split(told(path, "judge"))),
                          (known,) if known else ())
    for name in ("right_numpy", "right_torch"):
        yield Outside(f"outside_{name}", f"python:{HERE / 'faults.py'}:{name}", of_torch(name.endswith("torch")))
    torch, second = of_torch(True), HERE / "second"
    for name in ("dense", "custom", "chunked", "query_blocks", "window_gather"):
        yield Outside(f"outside_second_{name}", f"python:{second / 'right_torch.py'}:{name}", torch)
    yield Outside("outside_second_alibi", f"python:{second / 'right_torch.py'}:alibi", ("--as", "alibi", *torch))
    yield Outside("outside_second_numpy", f"python:{second / 'right_numpy.py'}:attention", torch[1:])
    for name in ("linear", "twicing", "graph_diffusion", "neutreno", "attention_bn", "kernel_regression", "elliptical",
                 "attention_sh"):
        yield Outside(f"outside_second_{name}", f"python:{second / 'right_mechanisms.py'}:{name}",
                      ("--as", name.replace("_", "-"), *torch))
    whole_rows = HERE / "whole_rows.py"
    yield Outside("outside_whole_rows", f"python:{whole_rows}:attention", known=(told(whole_rows, "known"),))


def second_table():
    with open(HERE.parent / "outside_second.tsv", newline="") as table:
        yield from csv.DictReader(table, delimiter="\t")


def libraries():
    """Of C and C++ sources, `where` being the source, right ones and those with a fault; those for a processor of another kind
    are left out."""
    yield from right_libraries()
    for row in second_table():
        if row["where"].endswith(".c"):
            yield Outside(f"outside_second_{row['name'].lower()}", str(HERE / "second" / row["where"]), wanted=row["class"],
                          macro=row["name"])


def right_libraries():
    yield Outside("outside_second_right", str(HERE / "second/kernel.c"))
    for path in sorted((HERE / "in_c").glob("*.c*")):
        if "-m" not in told(path, "flags") or platform.machine() in ("x86_64", "AMD64"):
            yield Outside(f"outside_in_c_{path.stem}", str(path), tuple(shlex.split(told(path, "judge"))))


def build(library, include, to):
    """Compiles one of them. Errors: subprocess.CalledProcessError."""
    compiler, dialect = ("c++", "-std=c++17") if library.where.endswith(".cpp") else ("cc", "-std=gnu11")
    subprocess.run([compiler, dialect, "-O2", "-shared", "-fPIC", *shlex.split(told(pathlib.Path(library.where), "flags")),
                    f"-D{library.macro or 'RIGHT'}", f"-I{include}", "-o", to, library.where, "-lm"], check=True)


def of_torch(torch):
    return ("--torch", "--set", "masked_nan=spreads") if torch else ()


def faults():
    with open(HERE.parent / "outside.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            yield Outside(f"outside_{row['name']}", f"python:{HERE / 'faults.py'}:bug_{row['name']}",
                          of_torch(row["kernel"] == "torch"), wanted=row["class"])
    for row in second_table():
        if row["where"].endswith(".py"):
            yield Outside(f"outside_second_{row['name']}", f"python:{HERE / 'second' / row['where']}:{row['name']}",
                          tuple(shlex.split(row["options"])), wanted=row["class"])
    yield Outside("outside_tiny_denominator", f"python:{HERE / 'in_torch/clamped_max.py'}:tiny_denominator", of_torch(True),
                  wanted="a fully masked row gives NaN gradients")
