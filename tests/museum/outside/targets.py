"""What was written by others who knew the README alone: implementations in as many styles as projects have, and faults.

Each file says in its first lines how it wants to be judged (`judge: OPTIONS`) and which findings it deserves (`known: CLASS`).
What several of them have alike stays in each: code that they shared would be one implementation, not many.
"""
import csv
import pathlib
import platform
import re
import shlex
import subprocess
from typing import NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
SPREADS = ("--set", "masked_nan=spreads")


class Outside(NamedTuple):
    name: str
    where: str          # as `attest judge` takes it; a path of C source for libraries
    options: tuple = ()
    known: tuple = ()
    wanted: str = ""    # the class of a fault
    macro: str = ""     # that plants it


# Right implementations of the folder `refactored`: its file, the mechanism, and the name before "_right".
REFACTORED = {
    "mechanisms_over_all_keys": {"linear": "linear", "linear-twicing": "linear_twicing", "twicing": "twicing",
                                 "alibi": "alibi", "bilateral": "bilateral", "kernel-regression": "regression",
                                 "attention-bn-simplified": "recentred", "graph-diffusion": "diffusion",
                                 "neutreno": "neutreno", "elliptical": "elliptical"},
    "mechanisms_over_fewer_keys": {"attention-sh": "scaled_heads", "nystromformer": "nystrom", "linformer": "linformer",
                                   "sparse": "sparse"}}
SETTINGS = {"nystrom": ("--set", "landmarks=4")}
REFACTORED_SOFTMAX = {"softmax_modules": ("fused", "flat_heads", "lowered", "cached", "online", "overlap", "stable", "packed"),
                      "softmax_of_public_threads": ("sink", "tiled", "slopes", "distances", "decode")}
OF_TORCH = ("slopes",)  # of softmax_of_public_threads, whose others are NumPy


def told(path, word):
    found = re.search(rf"^(?:#|/\*) {word}: *(.*?) *(?:\*/)?$", path.read_text(), re.MULTILINE)
    return found[1] if found else ""


def right():
    for folder in ("in_numpy", "in_torch", "models_in_torch", "other_mechanisms", "styles"):
        for path in sorted((HERE / folder).glob("*.py")):
            known = told(path, "known")
            yield Outside(f"outside_{folder}_{path.stem}", f"python:{path}:attention", tuple(shlex.split(told(path, "judge"))),
                          (known,) if known else ())
    torch, whole_rows, folder = ("--torch", *SPREADS), HERE / "whole_rows.py", HERE / "kernels_with_faults"
    for file, names, options in ((HERE / "faults.py", ("right_numpy",), ()), (HERE / "faults.py", ("right_torch",), torch),
                                 (folder / "right_numpy.py", ("attention",), SPREADS),
                                 (folder / "right_torch.py",
                                  ("dense", "custom", "chunked", "query_blocks", "window_gather"), torch)):
        for name in names:
            yield Outside(f"outside_{file.stem}_{name}", f"python:{file}:{name}", options)
    yield Outside("outside_right_torch_alibi", f"python:{folder / 'right_torch.py'}:alibi", ("--as", "alibi", *torch))
    for name in ("linear", "twicing", "graph_diffusion", "neutreno", "attention_bn", "kernel_regression", "elliptical",
                 "attention_sh"):
        yield Outside(f"outside_right_mechanisms_{name}", f"python:{folder / 'right_mechanisms.py'}:{name}",
                      ("--as", name.replace("_", "-"), *torch))
    folder = HERE / "refactored"
    for file, names in REFACTORED.items():
        for mechanism, name in names.items():
            yield Outside(f"outside_refactored_{name}", f"python:{folder / file}.py:{name}_right",
                          ("--as", mechanism, "--torch", *SETTINGS.get(name, ())))
    for file, names in REFACTORED_SOFTMAX.items():
        for name in names:
            numpy = file == "softmax_of_public_threads" and name not in OF_TORCH
            yield Outside(f"outside_refactored_{name}", f"python:{folder / file}.py:{name}_right", SPREADS if numpy else torch)
    yield Outside("outside_whole_rows", f"python:{whole_rows}:attention", known=(told(whole_rows, "known"),))


def right_libraries():
    """Of C and C++ sources, `where` being the source; those for a processor of another kind are left out."""
    yield Outside("outside_kernel", str(HERE / "kernels_with_faults/kernel.c"))
    for folder in ("in_c", "styles_in_c"):
        for path in sorted((HERE / folder).glob("*.c*")):
            if "-m" not in told(path, "flags") or platform.machine() in ("x86_64", "AMD64"):
                yield Outside(f"outside_{folder}_{path.stem}", str(path), tuple(shlex.split(told(path, "judge"))))


def faults():
    """Those of the table; of one in C `where` is the source, and the macro plants it."""
    with open(HERE.parent / "outside.tsv", newline="") as table:
        for row in csv.DictReader(table, delimiter="\t"):
            path, in_c = HERE / row["where"], row["where"].endswith(".c")
            yield Outside(f"outside_{row['name']}", str(path) if in_c else f"python:{path}:{row['name']}",
                          tuple(shlex.split(row["options"])), wanted=row["class"],
                          macro=f"BUG_{row['name'].upper()}" if in_c else "")


def libraries():
    """All that `build` compiles."""
    yield from right_libraries()
    yield from (fault for fault in faults() if fault.macro)


def build(library, include, to):
    """Compiles one of them. Errors: subprocess.CalledProcessError."""
    compiler, dialect = ("c++", "-std=c++17") if library.where.endswith(".cpp") else ("cc", "-std=gnu11")
    subprocess.run([compiler, dialect, "-O2", "-shared", "-fPIC", *shlex.split(told(pathlib.Path(library.where), "flags")),
                    f"-D{library.macro or 'RIGHT'}", f"-I{include}", "-o", to, library.where, "-lm"], check=True)
