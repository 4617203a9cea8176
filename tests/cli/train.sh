#!/usr/bin/env bash
# attest train from outside: a small comparison and its files, kill and resume, bad input.
# Usage: train.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
source "$(dirname "$0")/training.sh"

text 200 >text.txt
{ echo 'seeds = 2'; small_model; cat <<'TOML'; } >spec.toml
steps = 60
batch = 4
shards = 2
evaluate_every = 20
checkpoint_every = 10
[[variant]]
name = "softmax"
[[variant]]
name = "boost"
attention = "twicing"
attention_layers = [1]
residual = "boosting"
t = "learned"
TOML

"$attest" train spec.toml --out whole --threads 1 >stdout 2>stderr || { cat stderr; fail 'a small training failed'; }
grep -q 'boost against softmax' stdout || fail 'no comparison was printed'
for word in '"experiment": "spec"' '"difference"' '"verdict"' '"test_loss"'; do
  grep -q "$word" whole/summary.json || fail "summary.json lacks $word"
done
grep -q 'no verdict is possible with fewer than 9 seeds' stderr || fail 'what the run can detect was not said before it began'

# Killed again and again, at any moment, and resumed: the same weights as in one piece.
"$attest" train spec.toml --out pieces --threads 2 >/dev/null 2>&1 & child=$!
for pause in 0.3 0.5 0.7 0.9; do
  sleep "$pause"; kill -9 "$child" 2>/dev/null; wait "$child" 2>/dev/null
  "$attest" train spec.toml --out pieces --threads 2 --resume >/dev/null 2>"log-$pause" & child=$!
done
until [ -s "log-$pause" ]; do sleep 0.05; done  # it is at work, not a shell about to become it
kill -TERM "$child" 2>/dev/null; wait "$child"; code=$?
[ "$code" = 130 ] || [ "$code" = 0 ] || fail "SIGTERM ended it with $code"
"$attest" train spec.toml --out pieces --threads 1 --resume >/dev/null 2>stderr || { cat stderr; fail 'it could not be resumed'; }
for run in softmax-seed-1 softmax-seed-2 boost-seed-1 boost-seed-2; do
  cmp "whole/checkpoints/$run.safetensors" "pieces/checkpoints/$run.safetensors" || fail "$run differs after resuming"
done

# With more seeds the missing ones are trained, and the others stay as they are; with fewer it is refused.
cp -r whole more
before=$(sha256sum <whole/checkpoints/boost-seed-2.safetensors)
"$attest" train spec.toml --out more --resume --set seeds=3 >stdout 2>stderr || { cat stderr; fail 'seeds could not be added'; }
grep -q 'more holds 4 of 6 runs; the missing ones are trained now, so that there are 3 seeds' stderr || fail 'what is added was not said'
grep -q '"seeds": 3' more/summary.json || fail 'the summary does not have the seeds that were added'
[ "$before" = "$(sha256sum <more/checkpoints/boost-seed-2.safetensors)" ] || fail 'a finished run was trained again'
"$attest" train spec.toml --out more --resume >/dev/null 2>stderr
[ $? = 2 ] && grep -q 'holds runs up to seed 3, which seeds = 2 would leave out' stderr || fail 'finished runs were left out'

# Each variant at its own best learning rate, chosen by validation; what diverges is not chosen.
"$attest" train spec.toml --out axes --set seeds=1 --set 'axes.training.learning_rate=[1e-3, 3e-3]' >stdout 2>stderr || { cat stderr; fail 'a training with axes failed'; }
for run in softmax@learning_rate=0.001 boost@learning_rate=0.003; do
  [ -s "axes/checkpoints/$run-seed-1.safetensors" ] || fail "the axes trained no $run"
done
for word in '"settings"' 'chosen_learning_rate' 'Every variant trains with every seed under each of these settings'; do
  grep -q "$word" axes/summary.json || fail "the summary of the axes lacks $word"
done
grep -q 'is best at the end of its axis' stderr || fail 'nothing is said of the ends of a short axis'

# What a step costs stands beside the metric, and what goes wrong is said with its step and kept.
for word in 'ms per step' 'GFLOP per step' 'Activations, MiB'; do
  grep -q "$word" whole/summary.json && grep -q "$word" whole/report.html || fail "the report lacks $word"
done
"$attest" train spec.toml --out hot --set seeds=1 --set training.learning_rate=3 --set training.clip=1 >stdout 2>stderr
grep -Eq 'seed 1, step [0-9]+: the training loss is .* it diverges' stderr || { cat stderr; fail 'nobody said that it diverges'; }

# What it would take is measured, and nothing is trained.
"$attest" train spec.toml --price --out priced >stdout 2>stderr || { cat stderr; fail 'no price'; }
for word in 'softmax: ' '60 steps' 'for 2 seeds' 'for 9 seeds, the fewest with which a verdict is possible'; do
  grep -q "$word" stdout || { cat stdout; fail "the price lacks \"$word\""; }
done
[ ! -e priced ] || fail 'a price left a folder'

# Spread over processes: the same weights, one record, and nothing of the others left behind.
if command -v mpirun >/dev/null && grep -q 'MPI.*found' <<<"$("$attest" info)"; then
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 "$attest" train spec.toml --out ranks --threads 1 >stdout 2>stderr ||
    { cat stderr; fail 'a training on two ranks failed'; }
  grep -q 'boost against softmax' stdout || fail 'two ranks printed no comparison'
  [ ! -e ranks/ranks ] || fail 'the record of a rank is left behind'
  for run in softmax-seed-1 softmax-seed-2 boost-seed-1 boost-seed-2; do
    cmp "whole/checkpoints/$run.safetensors" "ranks/checkpoints/$run.safetensors" || fail "$run differs on two ranks"
  done
  # With a seed more, no rank trains again what another finished: the milliseconds of its steps stay as they were.
  cp ranks/runs.csv before.csv
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 "$attest" train spec.toml --out ranks --threads 1 \
    --resume --set seeds=1 >stdout 2>stderr && fail 'two ranks left a seed out'
  [ "$(grep -c 'which seeds = 1 would leave out' stderr)" = 1 ] || { cat stderr; fail 'a seed left out is not said once'; }
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -n 2 "$attest" train spec.toml --out ranks --threads 1 \
    --resume --set seeds=3 >stdout 2>stderr || { cat stderr; fail 'two ranks did not continue with one more seed'; }
  grep -q 'ranks holds 4 of 6 runs' stderr || { cat stderr; fail 'two ranks do not say what is there'; }
  [ "$(grep -cE '^(softmax|boost),3,' ranks/runs.csv)" = 2 ] || fail 'the third seed is missing'
  while IFS= read -r line; do grep -qxF -- "$line" ranks/runs.csv || fail "trained again: $line"; done <before.csv
fi

# expect CODE WORD ARGUMENT...: exit status CODE, exactly one line on standard error, which holds WORD.
expect() {
  local code=$1 word=$2; shift 2
  "$attest" train "$@" >stdout 2>stderr; local got=$?
  if [ "$got" != "$code" ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -qF -- "$word" stderr; then
    fail "attest train $*: exit $got (expected $code), standard error (expected one line with \"$word\"): $(cat stderr)"
  fi
}
expect 2 '--frobnicate' spec.toml --frobnicate
expect 2 'go to the repository' --skills
expect 2 'go to the repository' --price
expect 2 'did you mean --resume?' spec.toml --resum
expect 2 "'-1' is not a whole number" spec.toml --threads -1
expect 2 '--out is given 2 times' spec.toml --out a --out b
expect 2 '--out needs a value' spec.toml --out
expect 2 "'more' is one word too many" spec.toml more
expect 2 'missing.toml' missing.toml
expect 2 'missing.toml' missing.toml --price; [ ! -s stdout ] || fail 'a price is begun for a file that is not there'
sed 's/steps = 60/stepz = 60/' spec.toml >typo.toml;   expect 2 'typo.toml, line 11' typo.toml
sed 's/"twicing"/"twice"/' spec.toml >mechanism.toml;  expect 2 'twice' mechanism.toml
sed 's/heads = 2/heads = 3/' spec.toml >heads.toml;    expect 2 'heads' heads.toml
expect 2 '--set training.batch=5' spec.toml --set training.batch=5
expect 2 'spec.toml, line ' spec.toml --set data.name=no-such-data
expect 2 'no-such-data' spec.toml --set data.name=no-such-data
expect 2 'no-such-data' spec.toml --price --set data.name=no-such-data
sed 's/seeds = 2/seeds = 1e9/' spec.toml >seeds.toml;  expect 2 'seeds.toml, line 1' seeds.toml
sed 's/layers = 2/layers = 100000/' spec.toml >deep.toml; expect 2 'layers' deep.toml
printf 'a\000b' >binary.txt; expect 2 'binary.txt' spec.toml --set data.name=binary.txt
"$attest" train spec.toml --out whole >/dev/null 2>stderr; [ $? = 2 ] && grep -q -- '--resume' stderr || fail 'an old directory was written over'
"$attest" train spec.toml --out whole --resume --set training.steps=61 >/dev/null 2>stderr
[ $? = 2 ] && grep -q 'another experiment' stderr || fail 'another experiment was resumed'
"$attest" train spec.toml --out wild --set training.learning_rate=100 --set training.warmup=0 --set seeds=1 >/dev/null 2>stderr
code=$?; { [ "$code" = 0 ] || { [ "$code" = 3 ] && grep -q 'step' stderr; }; } || fail "a wild learning rate ended with $code"
[ "$failures" = 0 ] || exit 1
