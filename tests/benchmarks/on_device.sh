#!/bin/bash
# Everything about a CUDA device in one call of ten minutes or less: builds, runs every CUDA test, looks for races and
# stray memory, measures sweeps and training, and says plainly what has not run.
#
#   tests/benchmarks/on_device.sh [--bundle FILE] [--data DIR] [--out DIR] [--build DIR] [--seconds 590] [--jobs N]
#
# DIR/summary.txt has one line per step: passed, failed, or NOT RUN with the reason; DIR/STEP.log what it printed. Wants
# nvcc, CMake and Ninja, and for training PyTorch's LibTorch and tiny Shakespeare below --data. What the machine lacks of
# Debian's packages is laid out from FILE, which bundle_for_device.sh packs (this one step needs root). Without a device
# it configures, checks that device code is compiled for sm_90 and to PTX, and runs the kernels' block emulation on
# the processor; all else is NOT RUN.
# Exit code 0: all that ran passed; 1: a step failed; 3: nothing could be built.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/out/device build=$root/build-device seconds=590 jobs=$(nproc) bundle= data=${ATTEST_DATA:-}
while [ $# -gt 0 ]; do
  case $1 in
    --bundle) bundle=$2; shift 2 ;;
    --data) data=$2; shift 2 ;;
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

# 1. Build. The architectures are those that the project ships. Warnings are counted, not errors: that machine's compilers
# are newer than those that the project is kept clean for.
PATH=$PATH:/usr/local/cuda/bin
if ! command -v nvcc > /dev/null; then
  not_run build "there is no nvcc"
  exit 3
fi
if [ -n "$bundle" ]; then
  step bundle 60 bash -c 'tar -C / --skip-old-files -xzf "$1" && ldconfig' bash "$bundle" || exit 3
fi
torch_dir=
[ -n "$device" ] && torch_dir=$(python3 -c 'import torch; print(torch.utils.cmake_prefix_path + "/Torch")' 2> /dev/null)
step configure 60 cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DATTEST_CUDA=ON -DATTEST_TESTS=ON \
  -DATTEST_MPI=OFF -DATTEST_WARNINGS_AS_ERRORS=OFF ${torch_dir:+-DTorch_DIR=$torch_dir} \
  -DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined || exit 3
# All errors at once: such a machine is lent for minutes.
if ! step build 400 cmake --build "$build" -j "$jobs" --target test_kernels bench_device -- -k 0; then
  grep -E 'error|FAILED' "$out/build.log" | head -40
  for name in architectures emulation tests memcheck racecheck bench-sweeps bench-attention sweeps attention profile \
    training comparison; do
    not_run $name "nothing was built"
  done
  exit 3
fi
say build "$(grep -c 'warning' "$out/build.log") lines with warnings"
# The programs are wanted for sweeps and training alone, and are built beside what uses the device.
later=$SECONDS
training=$(grep -q 'bin/bench_training' "$build/build.ninja" && echo "attest_train bench_training test_training")
if [ -n "$device" ]; then
  nice cmake --build "$build" -j "$jobs" --target attest_program $training -- -k 0 > "$out/build-programs.log" 2>&1 &
  building=$!
fi
# What the compiler was asked for; cuobjdump, where it is, says what the object holds.
step architectures 30 bash -c '
  list=$(tr " " "\n" < "'"$build"'/build.ninja" | grep -o "arch=compute_[0-9]*,code=.*" | sort -u) && echo "$list" &&
  grep -q "code=.compute_80,sm_[0-9]" <<< "$list" || exit 1
  ! command -v cuobjdump > /dev/null ||
    cuobjdump --list-elf --list-ptx "$(find "'"$build"'" -name sweeps_cuda.cu.o | head -1)"'

# 2. Tests. The emulation runs device code on the processor; the others need a device.
if [ -z "$device" ]; then
  step emulation 120 "$build/bin/test_kernels" --gtest_filter='*Emulation*'
  for name in tests memcheck racecheck bench-sweeps bench-attention sweeps attention profile training comparison; do
    not_run $name "there is no CUDA device"
  done
else
  step tests 120 "$build/bin/test_kernels" \
    --gtest_filter='*Cuda.*:*OnCuda.*:*on_a_device*:*same_on_a_device*:Devices.*'
  if grep -q 'SKIPPED' "$out/tests.log"; then
    say tests "some were skipped: $(grep -c 'SKIPPED' "$out/tests.log") lines in tests.log"
  fi
  for tool in memcheck racecheck; do
    if ! command -v compute-sanitizer > /dev/null; then
      not_run $tool "there is no compute-sanitizer"
    else
      step $tool 60 compute-sanitizer --tool $tool --error-exitcode 1 "$build/bin/test_kernels" --gtest_filter="$(
        )AttendCuda.has_the_same_bits*:AttendCuda.agrees_with_the_cpu_through*:GrcScan.*device:Smoother.*device:$(
        )StreamedPerturbation.has*device:RandomMatrixNorms.*device:PairMoments.*device"
    fi
  done
  # 3. Rates, with what PyTorch reaches on the same device beside them.
  step bench-attention 60 "$build/bin/bench_device" attention
  if python3 -c 'import torch; assert torch.cuda.is_available()' 2> /dev/null; then
    step attention 60 python3 "$root/tests/benchmarks/peers/attention_device.py"
  else
    not_run attention "there is no PyTorch with CUDA: no fused peer, no copy bandwidth"
  fi
  if command -v ncu > /dev/null; then
    step profile 90 ncu --clock-control none --section SpeedOfLight --section ComputeWorkloadAnalysis \
      --section MemoryWorkloadAnalysis --section Occupancy --section LaunchStats --section WarpStateStats \
      "$build/bin/bench_device" profile
  else
    not_run profile "there is no ncu"
  fi
  wait "$building" && say build-programs "passed, $((SECONDS - later)) s" || {
    failed=1
    say build-programs "failed: build-programs.log"
    grep -E 'error|FAILED' "$out/build-programs.log" | head -20
  }
  step bench-sweeps 90 "$build/bin/bench_device" sweeps
  # A sweep by its spec, as a user asks for it.
  if [ -x "$build/bin/attest" ]; then
    for spec in softmax_far.toml residual_snr_dimension.toml softmax_lipschitz_dimension.toml; do
      step "sweep-${spec%.toml}" 40 "$build/bin/attest" sweep "$root/simulations/sweeps/$spec" --device cuda \
        --out "$out/sweep-${spec%.toml}"
    done
  else
    not_run sweeps "attest was not built"
  fi
  text=$data/tinyshakespeare/input.txt
  if [ -z "$training" ]; then
    not_run training "LibTorch was not found"
  elif [ ! -x "$build/bin/bench_training" ]; then
    not_run training "it was not built: build-programs.log"
  elif [ ! -f "$text" ]; then
    not_run training "tiny Shakespeare is not below --data or ATTEST_DATA"
  else
    step training-tests 60 "$build/bin/test_training" \
      --gtest_filter='Fused*.*:DeviceState.*:RecordedPass.*:PackedHeads.*'
    for precision in float32 bfloat16; do
      sed "s/^shards = .*/shards = 1\ndevice = \"cuda\"\nprecision = \"$precision\"/" \
        "$root/simulations/experiments/paper/nanogpt.toml" > "$out/nanogpt-$precision.toml"
      step "training-$precision" 60 env ATTEST_DATA="$data" "$build/bin/bench_training" "$out/nanogpt-$precision.toml" 40
      step "training-torch-$precision" 60 python3 "$root/tests/benchmarks/peers/training_torch.py" "$text" 40 \
        --full --device cuda --precision $precision
    done
    # The same with a launch for every kernel.
    sed 's/^device = .*/&\ncuda_graph = false/' "$out/nanogpt-bfloat16.toml" > "$out/nanogpt-launches.toml"
    step training-launches 60 env ATTEST_DATA="$data" "$build/bin/bench_training" "$out/nanogpt-launches.toml" 40
  fi
  if [ -x "$build/bin/attest_train" ] && [ -f "$text" ] && [ "$(left)" -gt 150 ]; then
    step comparison "$(left)" "$root/tests/benchmarks/device_comparison.sh" --build "$build" --data "$data" \
      --out "$out/comparison" --seconds $(($(left) - 70))
  else
    not_run comparison "device_comparison.sh wants what training wants, and 150 seconds"
  fi
  step emulation 60 "$build/bin/test_kernels" --gtest_filter='*Emulation*'
fi
echo "# $((SECONDS - begun)) s of $seconds" | tee -a "$summary"
grep -q 'NOT RUN' "$summary" && echo "What says NOT RUN has not been shown by this call." | tee -a "$summary"
python3 "$root/tests/benchmarks/device_table.py" "$out" > "$out/device.txt" && echo "# tables: $out/device.txt"
exit $failed
