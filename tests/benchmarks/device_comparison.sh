#!/bin/bash
# Trains the comparison simulations/results/experiments/nanogpt.toml on a CUDA device with as many paired seeds as the
# time allows, 5 at first, all runs of a round at once.
#
#   tests/benchmarks/device_comparison.sh --build DIR --data DIR --out DIR [--seconds 300]
#
# DIR/nanogpt-N has record, report and summary of N seeds; DIR/comparison.log what attest train printed.
# Exit code 0: at least 5 seeds are complete; 1: not so many.
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
mkdir -p "$out"
begun=$SECONDS complete=0
for seeds in 5 8 12 16 20 24; do
  left=$((seconds - (SECONDS - begun)))
  [ $left -gt 20 ] || break
  # The next round has at least as many runs as the last: without the time for it, it is not begun.
  [ $complete -eq 0 ] || [ $left -gt $((took * (seeds - complete) / fresh + 10)) ] || break
  round=$SECONDS fresh=$((seeds - complete))
  # The name of the spec is that of the experiment.
  mkdir -p "$out/spec"
  sed "s/^seeds = .*/seeds = $seeds/" "$root/simulations/results/experiments/nanogpt.toml" > "$out/spec/nanogpt.toml"
  timeout -s INT -k 10 $left "$build/bin/attest" train "$out/spec/nanogpt.toml" --data-dir "$data" --out "$out/run" \
    --threads $((3 * fresh)) >> "$out/comparison.log" 2>&1 || break
  took=$((SECONDS - round)) complete=$seeds
  rm -rf "$out/nanogpt-$seeds"
  mkdir -p "$out/nanogpt-$seeds"
  find "$out/run" -maxdepth 1 -type f -exec cp {} "$out/nanogpt-$seeds/" \;
  echo "$seeds seeds complete after $((SECONDS - begun)) s"
done
[ $complete -ge 5 ]
