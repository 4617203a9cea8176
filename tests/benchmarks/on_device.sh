#!/bin/bash
# Everything about a CUDA device in one call of ten minutes or less: builds, runs every CUDA test, looks for races and
# stray memory, measures sweeps and training, and says plainly what has not run.
#
#   tests/benchmarks/on_device.sh [--out DIR] [--build DIR] [--seconds 590] [--jobs N]
#
# DIR/summary.txt has one line per step: passed, failed, or NOT RUN with the reason; DIR/STEP.log what it printed. Wants
# nvcc, CMake and Ninja, and for training PyTorch's LibTorch. Without a device it configures, checks that device code is
# compiled for sm_80, sm_90 and PTX, and runs the kernels' block emulation on the processor; all else is NOT RUN.
# Exit code 0: all that ran passed; 1: a step failed; 3: nothing could be built.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/out/device build=$root/build-device seconds=590 jobs=$(nproc)
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=$2; shift 2 ;;
    --build) build=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --jobs) jobs=$2; shift 2 ;;
    *) echo "on_device.sh: unknown option '$1'" >&2; exit 2 ;;
  esac
done
mkdir -p "$out"
summary=$out/summary.txt
: > "$summary"
begun=$SECONDS failed=0

left() { echo $((seconds - (SECONDS - begun))); }
say() { printf '%-28s %s\n' "$1" "$2" | tee -a "$summary"; }

# step NAME MOST_SECONDS COMMAND...: runs it within the time that is left; its output is a file.
step() {
  local name=$1 most=$2 start=$SECONDS
  shift 2
  [ "$most" -gt "$(left)" ] && most=$(left)
  if [ "$most" -lt 5 ]; then
    say "$name" "NOT RUN: the $seconds seconds are used up"
    return 1
  fi
  if timeout -k 5 "$most" "$@" > "$out/$name.log" 2>&1; then
    say "$name" "passed, $((SECONDS - start)) s"
  else
    local code=$?
    failed=1
    [ $code -eq 124 ] && say "$name" "failed: longer than $most s" || say "$name" "failed, exit code $code: $name.log"
    return 1
  fi
}
not_run() { say "$1" "NOT RUN: $2"; }

device=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | head -1)
{
  echo "# $(date -u +%Y-%m-%d), $(grep -m1 'model name' /proc/cpuinfo | cut -d: -f2 | sed 's/^ //'), $(nproc) cores"
  echo "# device: ${device:-none}"
} | tee -a "$summary"

# 1. Build. The architectures are those that the project ships.
if ! command -v nvcc > /dev/null && [ ! -x /usr/local/cuda/bin/nvcc ]; then
  not_run build "there is no nvcc"
  exit 3
fi
torch=OFF
python3 -c 'import torch' 2> /dev/null && [ -n "$device" ] && torch=ON
step configure 60 cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DATTEST_CUDA=ON -DATTEST_TESTS=ON \
  -DATTEST_MPI=OFF -DATTEST_TORCH=$torch || exit 3
step build 420 cmake --build "$build" -j "$jobs" --target test_kernels attest || exit 3
step architectures 30 bash -c '
  file=$(find "'"$build"'" -name "sweeps_cuda.cu.o" | head -1)
  list=$(PATH=$PATH:/usr/local/cuda/bin cuobjdump --list-elf --list-ptx "$file") && echo "$list" &&
  grep -q sm_80 <<< "$list" && grep -q sm_90 <<< "$list" && grep -q ptx <<< "$list"'

# 2. Tests. The emulation runs device code on the processor; the others need a device.
step emulation 120 "$build/bin/test_kernels" --gtest_filter='*Emulation*'
on_device='*Cuda.*:*OnCuda.*:*on_a_device*:Devices.*'
sweep() { "$build/bin/attest" sweep "$root/simulations/sweeps/$1" --device cuda --out "$out/sweep-${1%.toml}"; }
export -f sweep
export build root out
if [ -z "$device" ]; then
  for name in tests memcheck racecheck sweeps attention training comparison; do not_run $name "there is no CUDA device"; done
else
  step tests 120 "$build/bin/test_kernels" --gtest_filter="$on_device"
  if grep -q 'SKIPPED' "$out/tests.log"; then
    say tests "some were skipped: $(grep -c 'SKIPPED' "$out/tests.log") lines in tests.log"
  fi
  sanitizer=$(PATH=$PATH:/usr/local/cuda/bin command -v compute-sanitizer)
  for tool in memcheck racecheck; do
    if [ -z "$sanitizer" ]; then
      not_run $tool "there is no compute-sanitizer"
    else
      step $tool 60 "$sanitizer" --tool $tool --error-exitcode 1 "$build/bin/test_kernels" \
        --gtest_filter='AttendCuda.has_the_same_bits*:*on_a_device*'
    fi
  done
  # 3. Rates. A sweep's time on the device beside the processor's; the bits must be the same.
  for spec in softmax_far.toml residual_snr_dimension.toml softmax_lipschitz_dimension.toml; do
    step "sweep-${spec%.toml}" 60 bash -c "time sweep $spec"
  done
  if python3 -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
    step attention 60 python3 "$root/tests/benchmarks/peers/attention_device.py"
  else
    not_run attention "there is no PyTorch with CUDA: no fused peer, no copy bandwidth"
  fi
  if [ $torch = ON ] && step build-training 300 cmake --build "$build" -j "$jobs" --target attest_train bench_training; then
    step training 60 "$build/bin/bench_training" "$root/simulations/experiments/standard/nanogpt-cpu.toml" 60
    not_run comparison "the full nanoGPT configuration takes hours: attest train simulations/experiments/paper/nanogpt.toml"
  else
    not_run training "LibTorch was not found, or the time is used up"
    not_run comparison "training was not built"
  fi
fi
echo "# $((SECONDS - begun)) s of $seconds" | tee -a "$summary"
grep -q 'NOT RUN' "$summary" && echo "What says NOT RUN has not been shown by this call." | tee -a "$summary"
exit $failed
