#!/usr/bin/env bash
# Runs every command of the console blocks of the README and of guide/, in order, as a reader would type it; any non-zero
# exit fails. Blocks with a title are files that the reader saves. The commands of the README's sh blocks are about trained models: the same, where LibTorch was found.
# Some are adapted and said so: `./attest` gets --no-build (the suite runs inside the build), `./attest test` is this very run,
# `./attest check` was run by tests/cli/judged_ledger.sh, whose record is taken over, and the families' executables are run by
# tests/cli/same_bits.sh; `./attest check --paper` gets --no-mutants, since cli.judged_ledger judges that paper's near-misses in
# the same way; `./attest train` gets two steps with one seed, tables of skills on 32 examples, language models on a
# short text, as all of the Bible would be read five times by each of nine models.
# Usage: run_commands.sh SOURCE_DIR BUILD_DIR RUN, the folder of a run (judged_ledger.sh)
set -euo pipefail
source_dir=$1; build_dir=$2; run=$3
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
# A stand-in for the checkout, so that out/ is not the user's.
ln -s "$source_dir/attest" "$work/attest"; ln -s "$build_dir" "$work/build"; ln -s "$source_dir/LICENSE" "$work/LICENSE"
ln -s "$source_dir/theorems" "$work/theorems"; ln -s "$source_dir/tests" "$work/tests"
ln -s "$source_dir/packaging" "$work/packaging"
mkdir "$work/simulations"
for specs in sweeps experiments results; do ln -s "$source_dir/simulations/$specs" "$work/simulations/$specs"; done
cd "$work"
for page in "$source_dir"/guide/*.md; do
  awk -F'"' '/^```[a-z]+ title="[A-Za-z0-9_.]+"$/ {file=$2; next} /^```$/ {file=""} file {print > file}' "$page"
done
ran=0
trained=no; if [ -x "$build_dir/bin/attest_train" ]; then trained=yes; fi
two_steps='--set training.steps=2 --set training.evaluate_every=2 --set training.checkpoint_every=2 --set training.warmup=1 --set seeds=1'
two_cells='--set training.steps=1 --set seeds=1 --set data.train=32 --set data.test=8 --set data.validation=1 --set training.gates=false'
while IFS= read -r line; do
  case $line in
    './attest test') printf 'skipped: %s (this is the run)\n' "$line"; continue ;;
    *'--data-dir DIR')
      # The reader's folder: known where the machine has one.
      if [ -z "${ATTEST_DATA:-}" ]; then printf 'skipped: %s (no ATTEST_DATA)\n' "$line"; continue; fi
      command="./attest --no-build ${line#./attest } $two_steps"; command=${command/--data-dir DIR/--data-dir "$ATTEST_DATA"} ;;
    *quick/language.toml) command="./attest --no-build ${line#./attest } $two_steps --set data.name=LICENSE" ;;
    './attest train --skills') command="./attest --no-build train --skills $two_cells" ;;
    './attest train '*) command="./attest --no-build ${line#./attest } $two_steps" ;;
    './attest check') printf 'run by cli.judged_ledger: %s\n' "$line"; command='mkdir out; cp -rv "'"$run"'"/* out/' ;;
    './attest check --paper '*) command="./attest --no-build ${line#./attest } --no-mutants" ;;
    './attest judge '*' --torch '*)
      if ! /usr/bin/python3 -c 'import torch' 2>/dev/null; then printf 'skipped: %s (no PyTorch)\n' "$line"; continue; fi
      command="./attest --no-build ${line#./attest }"; command=${command/ --torch/ --torch --python /usr/bin/python3} ;;
    './attest report '*' --errata')
      if ! command -v chromium chromium-browser google-chrome >/dev/null; then printf 'skipped: %s (no Chromium)\n' "$line"; continue; fi
      command="./attest --no-build ${line#./attest }" ;;
    ./attest\ *) command="./attest --no-build ${line#./attest }" ;;
    build/bin/check_*' --budget quick') printf 'run by cli.same_bits: %s\n' "$line"; continue ;;
    'python3 theorems/'*)
      # The system's interpreter, which has the packages of the launcher's list.
      python=/usr/bin/python3
      if ! "$python" -c 'import mpmath' 2>/dev/null; then printf 'skipped: %s (no mpmath)\n' "$line"; continue; fi
      command="$python ${line#python3 }" ;;
    pytest\ *)
      if ! /usr/bin/python3 -c 'import pytest, torch' 2>/dev/null; then printf 'skipped: %s (no pytest or PyTorch)\n' "$line"; continue; fi
      command="PYTHONPATH=packaging/python ATTEST_PROGRAM=$build_dir/bin/attest /usr/bin/python3 -m pytest -p attest.pytest_plugin ${line#pytest }" ;;
    pdflatex\ *)
      if [ -z "$(kpsewhich pgfplots.sty 2>/dev/null)" ]; then printf 'skipped: %s (no LaTeX with pgfplots)\n' "$line"; continue; fi
      command=$line ;;
    *) printf 'the README holds the command "%s", which this test does not know how to run\n' "$line"; exit 1 ;;
  esac
  printf '$ %s\n' "$command"
  # A line marked so shows a statement that is refuted: exit code 1.
  expected=0; case $line in *'# refuted') expected=1 ;; esac
  began=$SECONDS
  code=0; bash -c "$command" >"$work/output" 2>&1 || code=$?
  if [ "$code" -ne "$expected" ]; then tail -n 20 "$work/output"; printf 'failed: %s\n' "$command"; exit 1; fi
  [ -s "$work/output" ] || { printf 'printed nothing: %s\n' "$command"; exit 1; }
  [ $((SECONDS - began)) -lt 5 ] || printf '  %d s\n' $((SECONDS - began))
  ran=$((ran + 1))
done < <(awk -v trained="$trained" '/^```console$/ || (/^```sh$/ && trained == "yes") {inside=1; next} /^```$/{inside=0} inside && NF' \
  "$source_dir/README.md" "$source_dir"/guide/*.md)
[ "$ran" -ge 10 ] || { printf 'only %d commands were found in the README\n' "$ran"; exit 1; }
printf '%d commands ran\n' "$ran"
