#!/usr/bin/env bash
# What a training leaves, from outside: report, spreadsheets, TensorBoard's events, evaluations, measurements on a
# checkpoint, and statements judged by it. Usage: trained.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
here=$(cd "$(dirname "$0")" && pwd)
source "$(dirname "$0")/training.sh"

text 200 >shakespeare.txt
cat >spec.toml <<'TOML'
seeds = 5
[data]
name = "shakespeare.txt"
[model]
layers = 2
width = 32
heads = 2
context = 16
[training]
steps = 30
batch = 4
evaluate_every = 10
checkpoint_every = 10
[evaluation]
examples = 16
swapped_words = 0.3
measures = ["tokens", "heads", "cost"]
[paper]
source = "A paper, Table 1"
[paper.values]
softmax = 20
diffusion = 19.5
[[variant]]
name = "softmax"
[[variant]]
name = "diffusion"
attention = "graph-diffusion"
TOML

"$attest" train spec.toml --out run --threads 2 >stdout 2>stderr || { cat stderr; fail 'a small training failed'; }
for file in summary.json runs.csv curves.csv report.html figures/differences-test_loss.svg; do
  [ -s "run/$file" ] || fail "training left no $file"
done
for word in 'diffusion with softmax' 'A paper, Table 1' 'words replaced by' 'Mean cosine between tokens'; do
  grep -q "$word" run/report.html || fail "the report lacks \"$word\""
done
grep -q words_swapped_perplexity <<<"$(head -1 run/runs.csv)" || fail 'runs.csv lacks an evaluation'
if command -v python3 >/dev/null; then
  python3 "$here/read_events.py" run/tensorboard/softmax-seed-1/events.out.tfevents.attest >events || fail 'the event file is damaged'
  grep -q '^30 validation_loss ' events || fail 'the event file lacks the last validation loss'
  # What TensorBoard shows is what the database holds, rounded to single precision.
  python3 - <<'PY' || fail 'events and curves.csv differ'
import csv
events = {tuple(line.split()[:2]): float(line.split()[2]) for line in open("events")}
rows = [r for r in csv.DictReader(open("run/curves.csv")) if r["variant"] == "softmax" and r["seed"] == "1"]
assert len(rows) == len(events)
for r in rows:
    value = float(r["value"])
    assert abs(events[r["step"], r["metric"]] - value) <= abs(value) * 2**-24
PY
fi

# The report again from what is stored, and a trained model under the theory's eye.
cp run/report.html first.html
"$attest" report run >/dev/null 2>stderr && cmp -s first.html run/report.html || fail 'attest report makes another page'
"$attest" measure --checkpoint run/checkpoints/softmax-seed-1.safetensors --json measured.json >stdout 2>stderr ||
  { cat stderr; fail 'a checkpoint could not be measured'; }
for word in 'Eigenvalues of trained attention' 'Jacobians' 'suppress noise' 'cross terms' 'trained depth'; do
  grep -q "$word" stdout || fail "the measurement printed nothing of $word"
  grep -q "$word" run/report.html || fail "the report says nothing of $word"
done
grep -q '"checkpoint"' measured.json || fail 'no JSON of the measurement'

# Interrupted, it says and saves what is there. The model is large enough for seconds of work: a machine that is through
# before the signal, or has not begun, gets the signal at another moment.
text 12000 >long.txt
sed -e 's/shakespeare.txt/long.txt/; s/context = 16/context = 128/; s/width = 32/width = 64/; s/seeds = 5/seeds = 1/' \
  -e 's/steps = 30/steps = 2/; s/_every = 10/_every = 2/' spec.toml >long.toml
"$attest" train long.toml --out long --threads 2 >stdout 2>stderr || { cat stderr; fail 'a larger training failed'; }
for pause in 1 0.5 2 4 8; do
  rm -f stopped.json
  "$attest" measure --checkpoint long/checkpoints/softmax-seed-1.safetensors --budget deep --threads 1 --json stopped.json \
    >stdout 2>stderr &
  child=$!
  sleep "$pause"
  kill -TERM "$child" 2>/dev/null
  wait "$child"; code=$?
  [ "$code" = 130 ] && break
done
[ "$code" = 130 ] || fail "an interrupted measurement exits with $code"
grep -q 'interrupted before everything was measured' stopped.json || fail 'an interrupted measurement saves nothing'
grep -q 'what was finished, [0-9]* measurement' stderr || fail 'an interrupted measurement does not say what it saved'

# A training may judge what awaits one: too few data sets here, so it stays undecided and says why.
"$attest" check probdr/diffusion-improves probdr/diffusion-improves-tiny-text twicing/sec-5-diversity --training run/summary.json --out judged >stdout 2>stderr
[ $? = 0 ] || { cat stderr; fail 'a check with a training did not end as recorded'; }
grep -q 'images is not answered' judged/results.json || fail 'what is missing is not said'
grep -q 'over 5 paired seeds is' judged/results.json || fail 'what was found is not said'

# expect CODE WORD ARGUMENT...: exit status CODE, exactly one line on standard error, which holds WORD.
expect() {
  local code=$1 word=$2; shift 2
  "$attest" "$@" >stdout 2>stderr; local got=$?
  if [ "$got" != "$code" ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -qF -- "$word" stderr; then
    fail "attest $*: exit $got (expected $code), standard error (expected one line with \"$word\"): $(cat stderr)"
  fi
}
one=run/checkpoints/softmax-seed-1.safetensors
head -c 5000 $one >cut.safetensors; expect 2 'cut.safetensors' measure --checkpoint cut.safetensors
echo 'no model' >text.safetensors; expect 2 'text.safetensors' measure --checkpoint text.safetensors
expect 2 'missing.safetensors' measure --checkpoint missing.safetensors
expect 2 'leave --data out' measure --checkpoint $one --data bible-kjv
expect 2 'unknown budget' measure --checkpoint $one --budget much
expect 2 'evaluation.fgsm is for vision models only' train spec.toml --out x --set 'evaluation.fgsm=[1]'
sed 's/swapped_words/swaped_words/' spec.toml >typo.toml; expect 2 'typo.toml, line 16' train typo.toml --out x
expect 2 'is not a summary of a training' check --training spec.toml --out y
expect 2 'cannot read' check --training missing.json --out y
rm run/summary.json; expect 2 'not finished' report run
echo '{}' >run/summary.json; expect 2 'run/summary.json' report run
[ "$failures" = 0 ] || exit 1
