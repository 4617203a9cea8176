#!/usr/bin/env bash
# attest judge from outside: targets of every kind but those of PyTorch (judge_torch.sh), files of results, bad input.
# Usage: judge.sh ATTEST_PROGRAM SOURCE_FOLDER
set -uo pipefail
# shellcheck source=judging.sh
source "$(dirname "$0")/judging.sh"

cat >kernels.py <<'END'
import os
import time

import numpy as np


def right(q, k, v, *, causal=False, scale=None, dout=None):
    """Skips hidden keys, as a kernel does."""
    out, lse = np.zeros(q.shape[:3] + v.shape[3:], q.dtype), np.full(q.shape[:3], -np.inf, q.dtype)
    wide = np.float64 if q.dtype == np.float64 else np.float32
    scale = wide(q.shape[3] ** -0.5 if scale is None else scale)
    dq, dk, dv = (np.zeros(x.shape, wide) for x in (q, k, v))
    group = q.shape[1] // k.shape[1]
    for b, h, i in np.ndindex(*q.shape[:3]):
        seen = max(0, min(k.shape[2], i + k.shape[2] - q.shape[2] + 1)) if causal else k.shape[2]
        if seen == 0:
            continue
        keys, values, query = (x.astype(wide) for x in (k[b, h // group, :seen], v[b, h // group, :seen], q[b, h, i]))
        logits = keys @ query * scale
        weights = np.exp(logits - logits.max())
        lse[b, h, i] = logits.max() + np.log(weights.sum())
        weights /= weights.sum()
        out[b, h, i] = weights @ values
        if dout is not None:
            given = dout[b, h, i].astype(wide)
            dp = values @ given
            ds = weights * (dp - weights @ dp) * scale
            dq[b, h, i] = ds @ keys
            dk[b, h // group, :seen] += np.outer(ds, query)
            dv[b, h // group, :seen] += np.outer(weights, given)
    return {"out": out, "lse": lse, **({} if dout is None else
            {"dq": dq.astype(q.dtype), "dk": dk.astype(q.dtype), "dv": dv.astype(q.dtype)})}


def top_left(q, k, v, *, causal=False):
    s = q @ np.swapaxes(k, -1, -2) * q.dtype.type(q.shape[-1] ** -0.5)
    if causal:
        s = np.where(np.tril(np.ones(s.shape[-2:], bool)), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v


def only_qkv(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) * q.dtype.type(q.shape[-1] ** -0.5)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v


def scales_in_place(q, k, v):
    q *= q.dtype.type(q.shape[-1] ** -0.5)
    s = q @ np.swapaxes(k, -1, -2)
    p = np.exp(s - s.max(-1, keepdims=True))
    return p / p.sum(-1, keepdims=True) @ v


def narrow(q, k, v):
    if q.shape[3] > 128:
        raise ValueError("heads of at most 128 features")
    return only_qkv(q, k, v)


def counts_window(q, k, v, *, causal=False, window=None):
    """Takes one number, and sees a key fewer than it says."""
    s = q @ np.swapaxes(k, -1, -2) * q.dtype.type(q.shape[-1] ** -0.5)
    distance = np.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2] - np.arange(k.shape[2])
    seen = (distance >= 0) | (not causal)
    if window is not None:
        seen = seen & (distance < max(1, int(window) - 1))
    p = np.exp(s - s.max(-1, keepdims=True)) * seen
    return p / np.maximum(p.sum(-1, keepdims=True), np.finfo(q.dtype).tiny) @ v


def causal_unless_told(q, k, v, *, causal=True, scale=None):
    return right(q, k, v, causal=causal, scale=scale)["out"]


def only_causal(q, k, v, *, causal=True):
    assert causal, "this one is causal"
    return right(q, k, v, causal=True)["out"]


def always_causal(q, k, v):
    return right(q, k, v, causal=True)["out"]


def always_one_late(q, k, v):
    return right(q, k, v, causal=True)["out"] if q.shape[2] < 2 else np.roll(right(q, k, v, causal=True)["out"], 1, axis=2)


def twicing_always_causal(q, k, v):
    weights = always_causal(q, k, np.broadcast_to(np.eye(k.shape[2], dtype=q.dtype), (*k.shape[:3], k.shape[2])))
    return 2 * weights @ v - weights @ (weights @ v)


def twicing_only_causal(q, k, v, *, causal=False):
    if not causal:
        raise NotImplementedError("only causal")
    return twicing_always_causal(q, k, v)


RANDOM = np.random.default_rng(1)


def draws(q, k, v, *, dropout_p=0.0):
    """Without a mask or a seed it can only draw."""
    s = q @ np.swapaxes(k, -1, -2) * q.dtype.type(q.shape[-1] ** -0.5)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    return p * (RANDOM.random(p.shape) >= dropout_p) / q.dtype.type(1 - dropout_p) @ v


def draws_too_few(q, k, v, *, dropout_p=0.0):
    return draws(q, k, v, dropout_p=1.3 * dropout_p)


def needs_a_mask(q, k, v, *, dropout_p=0.0, dropout_mask=None):
    """Applies a mask that it is given and draws none."""
    if dropout_mask is None:
        return only_qkv(q, k, v)
    identity = np.broadcast_to(np.eye(k.shape[2], dtype=q.dtype), (*k.shape[:3], k.shape[2]))
    return only_qkv(q, k, identity) * dropout_mask / q.dtype.type(1 - dropout_p) @ v


def at_most_100_queries(q, k, v, *, causal=False):
    if q.shape[2] > 100:
        raise NotImplementedError("at most 100 queries")
    return right(q, k, v, causal=causal)["out"]


def neutreno(q, k, v, *, v0=None, lambda_=0.6):
    weight = lambda_.reshape(-1, 1, 1) if hasattr(lambda_, "reshape") else q.dtype.type(lambda_)
    return only_qkv(q, k, v) + (0 if v0 is None else weight * (v0 - v))


def neutreno_deaf(q, k, v, *, v0=None, lambda_=0.6):
    return neutreno(q, k, v, v0=v0)


def nan_in_empty_rows(q, k, v, *, causal=False):
    out, rows = right(q, k, v, causal=causal)["out"], q.shape[2] - k.shape[2]
    if causal and rows > 0:
        out[:, :, :rows] = np.nan
    return out


def raises(q, k, v):
    raise ValueError("no kernel for this")


def hangs(q, k, v):
    time.sleep(1000)


def crashes(q, k, v):
    if k.shape[2] > 64:
        os.abort()
    return only_qkv(q, k, v)


def wrong_shape(q, k, v):
    return np.swapaxes(only_qkv(q, k, v), 1, 2)


def returns_text(q, k, v):
    return "out"


def no_keys(q):
    return q


number = 3
END

# One type of number, where the types are not the point.
float64=(--dtype float64)
expect 0 'no finding' python:kernels:right
expect 0 'no finding' "python:$work/kernels.py:only_qkv"
expect 0 'causal: the target does not take it' python:kernels:only_qkv "${float64[@]}"
expect 0 'more than 128 features: the target refuses it (ValueError: heads of at most 128 features' python:kernels:narrow "${float64[@]}"
expect 0 'no finding' python:kernels:causal_unless_told "${float64[@]}"
expect 0 'calls that are not causal: the target refuses them (AssertionError: this one is causal' python:kernels:only_causal "${float64[@]}"
expect 0 'calls that are not causal: --set causal=always' python:kernels:always_causal "${float64[@]}" --set causal=always
expect 1 'out[' python:kernels:always_one_late "${float64[@]}" --set causal=always
expect 0 'calls that are not causal: --set causal=always' python:kernels:twicing_always_causal "${float64[@]}" --as twicing --set causal=always \
  --set masked_nan=spreads
expect 1 'out[' python:kernels:twicing_always_causal "${float64[@]}" --as twicing
expect 0 'calls that are not causal: the target does not take it: NotImplementedError: only causal' \
  python:kernels:twicing_only_causal "${float64[@]}" --as twicing --set masked_nan=spreads
expect 1 'visible keys are skipped' python:kernels:always_causal "${float64[@]}"
expect 0 'no finding' python:kernels:draws "${float64[@]}"
expect 1 'dropout keeps the wrong fraction' python:kernels:draws_too_few "${float64[@]}"
expect 0 'no finding' python:kernels:needs_a_mask "${float64[@]}"
expect 0 'the target does not take it: NotImplementedError: at most 100 queries' python:kernels:at_most_100_queries "${float64[@]}"
expect 0 'no finding' python:kernels:neutreno --as neutreno "${float64[@]}"
expect 1 'wrong values' python:kernels:neutreno_deaf --as neutreno "${float64[@]}"
expect 1 'a fully masked row gives NaN' python:kernels:nan_in_empty_rows "${float64[@]}"
expect 0 'no finding' python:kernels:nan_in_empty_rows "${float64[@]}" --set empty_rows=any
expect 1 'causal mask aligned to the wrong corner' python:kernels:top_left "${float64[@]}" --json found.json --junit found.xml --sarif found.sarif
"$python" - <<'END' || complain 'the files of a judgement are not what they should be'
import json, pathlib, xml.etree.ElementTree as tree
import numpy as np
found = json.load(open("found.json"))
assert set(found) >= {"target", "mechanism", "cases", "skipped", "findings", "seconds"}, found.keys()
assert found["target"] == "python:kernels:top_left" and found["mechanism"] == "softmax" and found["cases"] > 100
finding = next(f for f in found["findings"] if f["class"] == "causal mask aligned to the wrong corner")
assert set(finding) >= {"class", "property", "ratio", "case", "reproduce"} and finding["ratio"] > 1
case = json.load(open(finding["case"]))
assert case["causal"] and case["queries"] <= 2 and case.get("batch", 1) == 1, case
arrays = np.load(finding["case"].replace(".json", ".npz"))
assert {"q", "k", "v", "expected.out"} <= set(arrays)
assert int(tree.parse("found.xml").getroot()[0].get("failures")) == len(found["findings"])
assert len(json.load(open("found.sarif"))["runs"][0]["results"]) == len(found["findings"])
pathlib.Path("reproduce").write_text(finding["reproduce"])
END
expect 1 'causal mask aligned' python:kernels:top_left --case "$("$python" -c 'import json; f=json.load(open("found.json"))["findings"]; print(next(x["case"] for x in f if x["class"].startswith("causal mask al")))')"
eval "${attest%/*}/$(cat reproduce)" >stdout 2>stderr; [ $? = 1 ] || complain 'the reproduction did not reproduce'
expect 1 'raises an error' python:kernels:raises "${float64[@]}"
expect 1 'does not return in time' python:kernels:hangs "${float64[@]}" --limit 1
expect 1 'crashes' python:kernels:crashes --options causal "${float64[@]}"
expect 1 'wrong shape' python:kernels:wrong_shape "${float64[@]}"
expect 1 'wrong type' python:kernels:returns_text "${float64[@]}"
# Same seed, same findings, for any number of threads.
for threads in 1 2; do "$attest" judge python:kernels:top_left --python "$python" --threads $threads "${float64[@]}" --json "t$threads.json" >/dev/null 2>&1; done
"$python" -c 'import json; a, b = (json.load(open(f"t{n}.json")) for n in "12"); assert a["findings"] == b["findings"]' ||
  complain 'findings differ between numbers of threads'

# Sums in an order that differs from call to call, of gradients or of everything: accepted where it is said.
clocked=python:museum_targets:bug
few=(--dtype float32)
PYTHONPATH=$2/tests/museum expect 1 'results differ between runs' ${clocked}_gradient_order_by_clock "${few[@]}"
PYTHONPATH=$2/tests/museum expect 0 'no finding' ${clocked}_gradient_order_by_clock --set deterministic=forward "${few[@]}"
PYTHONPATH=$2/tests/museum expect 1 'results differ between runs' ${clocked}_order_by_clock --set deterministic=forward "${few[@]}"
PYTHONPATH=$2/tests/museum expect 0 'no finding' ${clocked}_order_by_clock --set deterministic=false "${few[@]}"
PYTHONPATH=$2/tests/museum expect 1 'sequences or heads are mixed up' ${clocked}_values_of_next_head --set deterministic=false

if command -v cc >/dev/null; then
  "$attest" judge --emit-wrapper c >mine.c && cc -O2 -shared -fPIC -I"$headers" -o libmine.so mine.c -lm && expect 0 'no finding' ./libmine.so
  sed 's|s /= sqrt((double)width);|s /= (double)width;|' mine.c >scaled.c && cc -O2 -shared -fPIC -I"$headers" -o libscaled.so scaled.c -lm
  expect 1 'wrong default scale' ./libscaled.so
  sed 's|const long keys = |((double*)c->out.data)[-1] = 1; const long keys = |' mine.c >outside.c
  cc -O2 -shared -fPIC -I"$headers" -o liboutside.so outside.c -lm && expect 1 'writes outside its buffers' ./liboutside.so
  echo 'int nothing;' >empty.c && cc -shared -fPIC -o libempty.so empty.c && refuse 'attest_judge_attention' ./libempty.so
fi

# A command is a process for every call; NumPy is loaded once, by a process that answers what the command asks through pipes.
cat >answers.py <<'END'
import json
import sys

import numpy as np

import kernels


def by_npz(source, target):
    given = dict(np.load(source))
    if set(given) - {"q", "k", "v"}:
        return 77
    np.savez(target, out=kernels.only_qkv(given["q"], given["k"], given["v"]))
    return 0


def by_tensors(source, target):
    """Over .safetensors, which hold bfloat16 too."""
    content = open(source, "rb").read()
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    if set(header) - {"q", "k", "v"}:
        return 77
    given = {}
    for name, entry in header.items():
        a, b = entry["data_offsets"]
        assert entry["dtype"] == "BF16", entry
        given[name] = (np.frombuffer(content[start + a : start + b], "<u2").astype("<u4") << 16).view("<f4").reshape(entry["shape"])
    out = kernels.only_qkv(given["q"], given["k"], given["v"])
    bits = np.ascontiguousarray(out, "<f4").view("<u4")
    rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2").tobytes()
    entry = {"out": {"dtype": "BF16", "shape": out.shape, "data_offsets": [0, len(rounded)]}}
    header = json.dumps(entry).encode()
    open(target, "wb").write(len(header).to_bytes(8, "little") + header + rounded)
    return 0


while True:
    with open("asked") as asked:
        source, target = asked.readline().split()
    try:
        status = (by_tensors if source.endswith(".safetensors") else by_npz)(source, target)
    except Exception as error:  # such as shapes that it cannot multiply
        status = f"1 {type(error).__name__}: {error}"
    with open("answered", "w") as answered:
        print(status, file=answered)
END
cat >by_files <<END
#!/bin/bash
# A call at a time: the judge asks from two processes.
exec 9<"$work"; flock 9
realpath -m "\$1" "\$2" | paste -sd ' ' >"$work/asked"
read -r status said <"$work/answered"
[ -z "\$said" ] || echo "\$said" >&2
exit "\$status"
END
chmod +x by_files; mkfifo asked answered
"$python" answers.py & answering=$!
trap 'kill "$answering"; rm -rf "$work"' EXIT
expect 0 'one entry of out, bfloat16' "command:$work/by_files {in}.safetensors {out}.safetensors" --options causal --dtype bfloat16
expect 0 'bfloat16: .npz files hold none' "command:$work/by_files {in} {out}" --options causal --dtype float64 --dtype bfloat16
grep -q 'no finding' stdout || complain 'a command that is right'
expect 2 'bfloat16 alone cannot be judged' "command:$work/by_files {in} {out}" --options causal --dtype bfloat16
"$attest" judge --emit-cases cases --options causal --dtype float64 >/dev/null || complain 'no cases were written'
"$python" cases/answer.py kernels:top_left || complain 'the cases could not be answered'
expect 1 'causal mask aligned to the wrong corner' recorded:cases --options causal --dtype float64
# Answers of functions that lack options, in every type and layout; what a function is not asked for is said.
types=(--dtype float64 --dtype bfloat16)
"$attest" judge --emit-cases all "${types[@]}" >/dev/null || complain 'no cases were written'
"$python" all/answer.py kernels.py:right >stdout 2>stderr || complain 'the cases could not be answered'
expect 0 'the function does not take alibi_slopes' recorded:all "${types[@]}"
expect 0 'repeat: the target answers each call once' recorded:all "${types[@]}"
rm -r all/answers; "$python" all/answer.py kernels:scales_in_place >stdout 2>stderr || complain 'the cases could not be answered'
expect 1 'an input is overwritten' recorded:all "${types[@]}"
rm -r all/answers; "$python" all/answer.py kernels:counts_window >stdout 2>stderr || complain 'the cases could not be answered'
expect 1 'sliding window has the wrong width' recorded:all "${types[@]}"
grep -q 'raises an error' stdout && complain 'a window as one number is not an error'
"$python" all/answer.py kernels:nothing >stdout 2>stderr && complain 'answer.py: a function that is not there'
grep -q 'kernels has no function nothing' stderr || complain 'answer.py: what is not there'

refuse 'no such library' ./libmissing.so
refuse 'kernels:nothing' python:kernels:nothing --python "$python"
refuse 'nowhere' python:nowhere:f --python "$python"
refuse 'number' python:kernels:number --python "$python"
refuse 'positional' python:kernels:no_keys --python "$python"
refuse 'python:kernels' python:kernels
refuse 'no-python' python:kernels:right --python ./no-python
refuse 'sofmax' python:kernels:right --as sofmax
refuse 'float8' python:kernels:right --dtype float8
refuse 'fast' python:kernels:right --budget fast
refuse 'true, forward or false' python:kernels:right --set deterministic=perhaps
refuse 'causal=always' python:kernels:right --set causal=true
refuse 'attention-sh has no causal form' python:kernels:right --as attention-sh --set causal=always
refuse 'any or zero' python:kernels:right --set empty_rows=nan
refuse 'landmarks' python:kernels:right --set landmarks=2
refuse 'answers' recorded:nowhere
refuse '{out}' 'command:./mine {in}'
refuse 'fortran' --emit-wrapper fortran
echo '{"querys": 3}' >bad.json; refuse 'querys' python:kernels:right --case bad.json
exit $((failures > 0))
