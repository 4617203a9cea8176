#!/bin/bash
# Trains the comparison simulations/experiments/paper/nanogpt-device.toml on a CUDA device: of as many steps as the time
# allows for eleven paired seeds, up to those that the file asks for; five seeds first, then three at a time.
#
#   tests/benchmarks/device_comparison.sh --build DIR --data DIR --out DIR [--seconds 300]
#
# DIR/nanogpt-N has record, report and summary of N seeds; DIR/comparison.log what attest train printed.
# Exit code 0: 5 seeds or more are complete; 1: not so many.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
build= data= out= seconds=300
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    *) echo "device_comparison.sh: unknown option '$1'" >&2; exit 2 ;;
  esac
done
if [ -z "$build" ] || [ -z "$data" ] || [ -z "$out" ]; then
  echo "device_comparison.sh: --build, --data and --out are needed" >&2
  exit 2
fi
spec=$root/simulations/experiments/paper/nanogpt-device.toml
mkdir -p "$out"
begun=$SECONDS complete=0
left() { echo $((seconds - (SECONDS - begun))); }

# train FOLDER SEEDS RUNS STEPS
train() {
  [ "$(left)" -gt 5 ] || return 1
  # The name of the file is that of the experiment.
  mkdir -p "$out/spec"
  sed "s/^seeds = .*/seeds = $2/" "$spec" > "$out/spec/nanogpt-device.toml"
  timeout -s INT -k 10 "$(left)" "$build/bin/attest_train" "$out/spec/nanogpt-device.toml" --data-dir "$data" --out "$1" --resume \
    --threads "$3" --set training.steps="$4" --set training.checkpoint_every="$4" >> "$out/comparison.log" 2>&1
}

# How long a step of one run takes: runs at once share the device, so that each sees the sum of all.
few=200
train "$out/pilot" 1 3 $few || { echo "the pilot of $few steps failed or took too long"; exit 1; }
step=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == "step_milliseconds") column = i }
  NR > 1 { sum += $column; ++runs } END { if (sum > 0) printf "%.0f", 1000 * sum / runs / runs }' "$out/pilot/runs.csv")
[ "${step:-0}" -gt 0 ] || { echo "the pilot says nothing of the time of a step: $out/pilot/runs.csv"; exit 1; }
wanted=$(sed -n 's/^steps = \([0-9]*\).*/\1/p' "$spec")
steps=$((($(left) - 45) * 1000000 / step / (3 * 11) / 50 * 50))
[ $steps -le "$wanted" ] || steps=$wanted
echo "pilot: a step of a run takes $step microseconds; the comparison has $steps steps"
[ $steps -ge 100 ] || exit 1
for seeds in 5 8 11 14 17 20; do
  # A round is begun when there is time for it.
  [ $complete -eq 0 ] || [ "$(left)" -gt $((step * steps * 3 * (seeds - complete) / 1000000 + 10)) ] || break
  train "$out/run" $seeds 4 "$steps" || break
  complete=$seeds
  mkdir -p "$out/nanogpt-$seeds"
  find "$out/run" -maxdepth 1 -type f -exec cp {} "$out/nanogpt-$seeds/" \;
  echo "$seeds seeds complete after $((SECONDS - begun)) s"
done
[ $complete -ge 5 ]
