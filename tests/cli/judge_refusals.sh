#!/usr/bin/env bash
# attest judge from outside: what it refuses before the first case, and how it names what a function did not take.
# Usage: judge_refusals.sh ATTEST_PROGRAM SOURCE_FOLDER
set -uo pipefail
# shellcheck source=judging.sh
source "$(dirname "$0")/judging.sh"

cat >kernels.py <<'END'
import numpy as np


def right(q, k, v, *, causal=False):
    s = q @ np.swapaxes(k, -1, -2) * q.dtype.type(q.shape[-1] ** -0.5)
    seen = np.tri(*s.shape[-2:], k.shape[2] - q.shape[2] if causal else k.shape[2], dtype=bool)
    p = seen * np.exp(s - np.where(seen, s, -1e300).max(-1, keepdims=True, initial=-1e300), where=seen, out=np.zeros_like(s))
    total = p.sum(-1, keepdims=True)
    return p / np.where(total > 0, total, 1) @ v


def not_causal(q, k, v, *, causal=False):
    if causal:
        raise NotImplementedError
    return right(q, k, v)


def needs_more(q, k, v, foo):
    return right(q, k, v)


def negative_nan(q, k, v):
    out = right(q, k, v)
    out[..., 0] = -np.float64("nan")
    return out


RANDOM = np.random.default_rng(1)


def noisy(q, k, v):
    return right(q, k, v) + RANDOM.normal(size=v.shape[-1]).astype(q.dtype)


def raises(q, k, v):
    raise ValueError("no kernel")
END

few=(--dtype float64 --options causal --set masked_nan=spreads)
refuse 'did you mean causal?' python:kernels:right --options cauzal
refuse 'attention-sh has no such option' python:kernels:right --as attention-sh --options window
for limit in -1 0 nan inf; do refuse 'a number of seconds above 0' python:kernels:right --limit $limit; done
refuse './nofile' 'command:./nofile {in} {out}'
touch plain; refuse 'exit status 126' 'command:./plain {in} {out}'
refuse "without 'foo'" python:kernels:needs_more --python "$python"
refuse 'nofile.py does not exist' python:nofile.py:right
# The first interpreter has no NumPy: the second knows what is wrong.
mkdir lacking; printf '#!/bin/sh\nexec /usr/bin/python3 -S "$@"\n' >lacking/python3; chmod +x lacking/python3
if ! lacking/python3 -c 'import numpy' 2>/dev/null; then
  PATH=$work/lacking:$PATH refuse 'kernels.py has no function nothing' python:kernels.py:nothing
  PATH=$work/lacking:$PATH refuse "No module named 'nowhere'" python:nowhere:f
  refuse 'has no NumPy' python:kernels.py:right --python lacking/python3
fi
refuse "No module named 'nowhere'" python:nowhere:f --python "$python"
grep -q ', line' stderr && complain 'a frame of the machinery is shown'
# A file that has itself judged as it is imported.
echo 'import os; os.system("$PROGRAM judge python:again.py:f >said 2>&1"); from kernels import right as f' >again.py
PROGRAM=$attest expect 0 'no finding' python:again.py:f "${few[@]}"
grep -q 'put the call under if __name__' said || complain 'a judge within a judge'

expect 0 'cases with causal, the smallest float64' python:kernels:not_causal "${few[@]}"
grep -q 'NotImplementedError (kernels.py, line' stdout || complain 'an error without words'
expect 1 'error not to be measured' python:kernels:negative_nan "${few[@]}"
grep -q -e '-nan' stdout && complain 'NaN with a sign'
expect 1 'the same call again' python:kernels:noisy "${few[@]}" --json noisy.json
"$python" - <<'END' || complain 'consequences of a call that differs from itself'
import json
found = {finding["property"] for finding in json.load(open("noisy.json"))["findings"]}
assert found <= {"repeat", "values", "strides", "far strides", "bias of rounding"}, found
END
# Folders of cases: one whose writing ended early, and one whose list of names is not one.
mkdir ended; touch ended/cases.jsonl
refuse 'the rest was never written' --emit-cases ended
mkdir -p listed/answers
for names in '[1]' '{"a": 1}' 'no JSON'; do echo "$names" >listed/answers/skipped.json; refuse 'skipped.json is not a list of names' recorded:listed; done
echo '{"mechanism": "softmax"}' >one.json
expect 1 'raises an error' python:kernels:raises "${few[@]}" --case one.json
grep -q '1 finding in 1 case, 1 call,' stdout || complain 'one of each'

# Cases for elsewhere say it there.
"$attest" judge --emit-cases cases --options causal --dtype float64 >/dev/null || complain 'no cases were written'
if ! "$python" -S -c 'import numpy' 2>/dev/null; then
  "$python" -S cases/answer.py kernels.py:right >stdout 2>stderr && complain 'answer.py: no NumPy'
  [ "$(wc -l <stderr)" = 1 ] && grep -q 'has no NumPy; run it with another' stderr || complain 'answer.py: what is missing'
fi
"$python" cases/answer.py kernels.py:needs_more >stdout 2>stderr && complain 'answer.py: a parameter that no case holds'
grep -q 'cannot be called without foo' stderr || complain 'answer.py: what is required'
exit $((failures > 0))
