"""Runs `attest apply` over every mechanism and compares values and gradients with attention_in_numpy.

Usage: apply_against_numpy.py ATTEST_PROGRAM. Gradients are compared along random directions, where the complex-step
derivative Im f(x + i h u) / h is exact to rounding for h = 1e-30.
"""
import json
import struct
import subprocess
import sys

import numpy as np

import attention_in_numpy as reference

TOLERANCE = {"float64": 1e-12, "float32": 2e-6}  # the library's promise, relative to the array's largest entry
BATCH, TOKENS, DIM = 2, 12, 4


def arrays_for(seed, heads=4, tokens=TOKENS, queries=None, value_dim=DIM, **extra):
    random = np.random.default_rng(seed)
    shapes = {"q": (queries or tokens, DIM), "k": (tokens, DIM), "v": (tokens, value_dim)}
    arrays = {name: random.standard_normal((BATCH, heads, *shape)) for name, shape in shapes.items()}
    for name, shape in extra.items():
        arrays[name] = random.standard_normal(shape)
    arrays["R"] = random.standard_normal((BATCH, heads, queries or tokens, value_dim))
    return arrays


def masked(arrays, seed=5):
    """A mask with one row that sees nothing."""
    mask = np.random.default_rng(seed).random((arrays["q"].shape[2], arrays["k"].shape[2])) < 0.6
    mask[3] = False
    return {**arrays, "mask": mask}


def padded(arrays):
    return {**arrays, "key_lengths": np.array([7, arrays["k"].shape[2]])}


def normalised_and_scaled():
    """Attention-BN, -SH, -BN+SH, and their linear and sparse forms."""
    factors, text = [1, 2, 5, 3], "factors=1,2,5,3"
    learnt = {"beta": np.array([0.2, 1, -0.4, 0.9])}
    for arrays in (arrays_for(12), padded(arrays_for(12)), arrays_for(13, queries=7, value_dim=3)):
        yield "attention-bn", [], arrays, reference.attention_bn
        yield "attention-bn", ["eps=1e-2"], arrays, lambda x: reference.attention_bn(x, eps=1e-2)
        yield ("attention-bn-simplified", ["beta=0.6"], arrays,
               lambda x: reference.attention_bn(x, beta=0.6, normalised=False))
        for remainder in ("ceil", "floor"):
            settings = [text, f"remainder={remainder}"]
            yield "attention-sh", settings, arrays, lambda x, r=remainder: reference.attention_sh(x, factors, r)
            yield ("attention-bn-sh", settings, arrays, lambda x, r=remainder: reference.attention_sh(
                x, factors, r, lambda one, _: reference.attention_bn(one)))
            yield ("attention-bn-sh", settings + ["beta=0.6"], arrays, lambda x, r=remainder: reference.attention_sh(
                x, factors, r, lambda one, _: reference.attention_bn(one, beta=0.6, normalised=False)))
        yield "linear-bn", [], arrays, lambda x: reference.linear(reference.recentred(x))
        yield "linear-sh", [text], arrays, lambda x: reference.attention_sh(
            x, factors, each=lambda one, _: reference.linear(one))
        yield "linear-bn-sh", [text, "beta=0.3"], arrays, lambda x: reference.attention_sh(
            x, factors, each=lambda one, _: reference.linear(reference.recentred(one, 0.3, normalised=False)))
    arrays = arrays_for(14)
    yield "attention-bn", ["causal=true"], arrays, lambda x: reference.attention_bn(x, causal=True)
    yield ("attention-bn-simplified", ["beta=0.6", "causal=true"], arrays,
           lambda x: reference.attention_bn(x, beta=0.6, normalised=False, causal=True))
    yield ("attention-bn-simplified", [], {**arrays, **learnt},
           lambda x: reference.attention_bn(x, normalised=False))
    yield ("attention-bn-sh", [text, "form=simplified"], {**arrays, **learnt}, lambda x: reference.attention_sh(
        x, factors, each=lambda one, _: reference.attention_bn(one, normalised=False)))
    yield "sparse-bn", [], arrays, lambda x: reference.sparse(reference.recentred(x))
    yield "sparse-sh", [text], arrays, lambda x: reference.attention_sh(
        x, factors, each=lambda one, factor: reference.sparse_pooled(one, factor, TOKENS))
    yield "sparse-bn-sh", [text], arrays, lambda x: reference.attention_sh(
        x, factors, each=lambda one, factor: reference.sparse_pooled(reference.recentred(one), factor, TOKENS))


def cases():
    """(mechanism, settings as text, arrays, the reference's output as a function of the arrays)"""
    token = (BATCH, 4, TOKENS, DIM)
    beyond = arrays_for(2, qp=token, kp=token)
    with_causal = [("softmax", reference.plain, arrays_for(1)), ("twicing", reference.twicing, arrays_for(3)),
                   ("alibi", reference.alibi, arrays_for(4)), ("bilateral", reference.bilateral, beyond),
                   ("linear", reference.linear, arrays_for(6)), ("linear-twicing", reference.linear_twicing, arrays_for(7)),
                   ("graph-diffusion", reference.graph_diffusion, arrays_for(8)),
                   ("neutreno", reference.neutreno, arrays_for(9, v0=token))]
    for name, function, arrays in with_causal:
        yield name, [], arrays, function
        yield name, ["causal=true"], arrays, lambda x, f=function: f(x, causal=True)
        yield name, [], padded(arrays), function
    for name, function, arrays in with_causal[:4]:
        yield name, [], masked(arrays), function
        yield name, ["causal=true"], padded(masked(arrays)), lambda x, f=function: f(x, causal=True)
    yield "softmax", [], {**arrays_for(11), **{n: 300 * arrays_for(11)[n] for n in "qk"}}, reference.plain
    for name, function in (("softmax", reference.plain), ("alibi", reference.alibi), ("linear", reference.linear)):
        yield name, [], arrays_for(21, queries=5, value_dim=3), function
        yield name, ["causal=true"], arrays_for(22, queries=17, value_dim=3), lambda x, f=function: f(x, causal=True)
    for heads in (1, 3, 6):
        yield "alibi", [], arrays_for(heads, heads=heads), reference.alibi
    yield "bilateral", ["h_p2=5", "h_y2=2.8"], beyond, lambda x: reference.bilateral(x, h_p2=5, h_y2=2.8)
    yield "bilateral", [], {**beyond, "h_p2": np.array([1.5, 2, 3, 9]), "h_y2": np.array(2.5)}, reference.bilateral
    yield "softmax", [], arrays_for(10, bias=(4, TOKENS, TOKENS)), reference.plain
    yield "twicing", ["causal=true"], arrays_for(20, bias=(4, TOKENS, TOKENS)), lambda x: reference.twicing(x, causal=True)
    yield "neutreno", ["lambda=0.3"], with_causal[-1][2], lambda x: reference.neutreno(x, lam=0.3)
    yield from normalised_and_scaled()
    yield "conv1d", [], arrays_for(13, wq=(4, 3), wk=(4, 3)), reference.conv1d
    yield "conv2d", ["grid=3,4"], arrays_for(14, wq=(4, 3, 3), wk=(4, 3, 3)), lambda x: reference.conv2d(x, (3, 4))
    yield ("conv2d", ["grid=3,4"], arrays_for(15, tokens=13, wq=(4, 3, 3), wk=(4, 3, 3)),
           lambda x: reference.conv2d(x, (3, 4)))
    yield "conv1d", ["shared=true"], arrays_for(23, wq=(4, 3)), reference.conv1d
    yield "conv2d", ["grid=3,4", "shared=true"], arrays_for(24, wq=(4, 3, 3)), lambda x: reference.conv2d(x, (3, 4))
    yield "conv1d", [], arrays_for(25, wq=(4, 5), wk=(4, 5)), reference.conv1d
    yield ("nystromformer", ["landmarks=4", "maximum=batch"], arrays_for(26),
           lambda x: reference.nystromformer(x, 4, batch_maximum=True))
    yield "neutreno", [], arrays_for(27), reference.neutreno
    yield "linformer", [], arrays_for(28, E=(4, TOKENS, 5), F=(4, TOKENS, 5)), reference.linformer
    yield "elliptical", [], arrays_for(32, v_previous=token), reference.elliptical
    yield ("elliptical", ["causal=true"], arrays_for(38, v_previous=token),
           lambda x: reference.elliptical(x, causal=True))
    yield "featscale", [], arrays_for(33, value_dim=3, s=(4, 3), t=(4, 3)), reference.featscale
    places = arrays_for(34, p=(TOKENS, 6), hq=(4, DIM, 6), hk=(4, DIM, 6))
    yield "independent-positions", [], places, reference.independent_positions
    yield ("independent-positions", ["causal=true"], padded(places),
           lambda x: reference.independent_positions(x, causal=True))
    yield "kernel-regression", [], arrays_for(35), reference.kernel_regression
    yield ("kernel-regression", ["bandwidth=0.7", "causal=true"], arrays_for(36),
           lambda x: reference.kernel_regression(x, 0.7, causal=True))
    yield "kernel-regression", [], {**arrays_for(37), "bandwidth": np.array([1, 2, 0.5, 3])}, reference.kernel_regression
    yield "nystromformer", ["landmarks=4"], arrays_for(16), lambda x: reference.nystromformer(x, 4)
    yield ("nystromformer", ["landmarks=3", "iterations=2"], arrays_for(17),
           lambda x: reference.nystromformer(x, 3, iterations=2))
    yield "nystromformer", ["landmarks=5"], arrays_for(19), lambda x: reference.nystromformer(x, 5)
    for settings, pattern in (([], {}), (["stride=5"], {"stride": 5}), (["causal=true"], {"causal": True}),
                              (["pattern=fixed", "stride=4", "summary=2"], {"pattern": "fixed", "stride": 4, "summary": 2}),
                              (["pattern=fixed", "causal=true"], {"pattern": "fixed", "causal": True})):
        yield "sparse", settings, arrays_for(30), lambda x, p=pattern: reference.sparse(x, **p)
    yield "sparse", [], masked(padded(arrays_for(31))), reference.sparse
    yield ("nystromformer-alibi", ["landmarks=5"], arrays_for(39),
           lambda x: reference.nystromformer(x, 5, biases=reference.alibi_biases(x)))
    yield ("linformer-alibi", [], arrays_for(40, E=(4, TOKENS, 5), F=(4, TOKENS, 5)),
           lambda x: reference.linformer(x, reference.alibi_biases(x)))
    yield "linformer", [], arrays_for(18, E=(TOKENS, 5), F=(TOKENS, 5)), reference.linformer


def read_safetensors(path):
    with open(path, "rb") as stream:
        length, = struct.unpack("<Q", stream.read(8))
        header, data = json.loads(stream.read(length)), stream.read()
    return {name: np.frombuffer(data[slice(*entry["data_offsets"])], {"F64": "<f8", "F32": "<f4"}[entry["dtype"]])
            .reshape(entry["shape"]) for name, entry in header.items()}


def apply(program, mechanism, settings, arrays, dtype, output):
    np.savez_compressed("in.npz", **arrays)
    command = [program, "apply", mechanism, "--input", "in.npz", "--output", output, "--grad", "--dtype", dtype]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command[1:])}: exit {done.returncode}: {done.stderr.strip()}")
    return dict(np.load(output)) if output.endswith(".npz") else read_safetensors(output)


def directional(function, arrays, name, direction):
    step = 1e-30
    moved = {**arrays, name: arrays[name] + 1j * step * direction}
    return (function(moved) * arrays["R"]).sum().imag / step


def errors_of(result, arrays, function, dtype):
    """What is wrong with a result, as sentences."""
    expected = function(arrays).real
    inputs = [name for name, array in arrays.items() if name != "R" and array.dtype.kind == "f"]
    names = {"out", "loss"} | {"grad." + name for name in inputs}
    if set(result) != names:
        return [f"holds {sorted(result)} instead of {sorted(names)}"]
    wrong = [f"{name} is {array.dtype}" for name, array in result.items() if array.dtype != dtype]
    tolerance = TOLERANCE[dtype]
    error = np.abs(result["out"] - expected).max() / np.abs(expected).max()
    if not error <= tolerance:
        wrong.append(f"out is off by {error:.2g}")
    terms = np.abs(expected * arrays["R"]).sum()
    if not abs(result["loss"] - (expected * arrays["R"]).sum()) <= tolerance * terms:
        wrong.append(f"loss is off: {result['loss']}")
    for name in inputs:
        gradient = result["grad." + name]
        if gradient.shape != arrays[name].shape:
            wrong.append(f"grad.{name} has shape {gradient.shape}")
            continue
        # Each entry's error is at most `tolerance` of the largest; along a direction their sizes add.
        for seed in range(4):
            direction = np.random.default_rng(seed).standard_normal(gradient.shape)
            claimed, exact = (gradient * direction).sum(), directional(function, arrays, name, direction)
            bound = tolerance * np.abs(gradient).max() * np.abs(direction).sum()
            if not abs(claimed - exact) <= bound:
                wrong.append(f"grad.{name} along a direction: {claimed} instead of {exact}")
                break
    return wrong


def main():
    program, failures, ran = sys.argv[1], [], {}
    listing = subprocess.run([program, "list", "--attention", "--json"], capture_output=True, check=True).stdout
    listed = {entry["name"] for entry in json.loads(listing)}
    for index, (mechanism, settings, arrays, function) in enumerate(cases()):
        dtype = ("float64", "float32")[index % 5 == 4]
        if dtype == "float32":
            arrays = {name: a.astype("float32").astype("float64") if a.dtype.kind == "f" else a for name, a in arrays.items()}
        result = apply(program, mechanism, settings, arrays, dtype, ("out.npz", "out.safetensors")[index % 2])
        wrong = errors_of(result, arrays, function, dtype)
        extra = sorted(set(arrays) & {"mask", "key_lengths"})
        failures += [f"{mechanism} {' '.join(settings + extra)} {dtype}: {sentence}" for sentence in wrong]
        ran[mechanism] = ran.get(mechanism, 0) + 1
        # The comparison must be able to fail.
        if mechanism == "softmax" and index == 0:
            for name in result:
                off = {**result, name: result[name] * (1 + 1e-9)}
                if not errors_of(off, arrays, function, dtype):
                    failures.append(f"a planted error of 1e-9 in {name} was not noticed")
    failures += [f"{name} is listed and not compared" for name in sorted(listed - set(ran))]
    print("\n".join(failures + [f"{sum(ran.values())} cases over {len(ran)} mechanisms, {len(failures)} failures"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
