#!/usr/bin/env bash
# cmake --install, find_package(Attest), a plug-in built against the installed headers, and the installed program with it.
# Usage: plugin.sh BUILD_DIR
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
fail() { printf 'failed: %s\n' "$*"; exit 1; }
# refused PATTERN COMMAND...: one line that matches, exit 2
refused() {
  local pattern=$1 code=0; shift
  "$@" >"$work/output" 2>&1 || code=$?
  [ "$code" = 2 ] || { cat "$work/output"; fail "exit $code where 2 was expected: $*"; }
  [ "$(wc -l <"$work/output")" = 1 ] || { cat "$work/output"; fail "more than one sentence: $*"; }
  grep -q -- "$pattern" "$work/output" || { cat "$work/output"; fail "no '$pattern' in it: $*"; }
}

for component in runtime development judge; do
  cmake --install "$build" --prefix "$work/usr" --component "$component" >"$work/log" 2>&1 || { cat "$work/log"; fail install; }
done
[ -f "$work/usr/include/attest_judge.h" ] || fail "attest_judge.h is not installed"
[ -f "$work/usr/share/attest/check_evidence.py" ] || fail "check_evidence.py is not installed"
attest=$work/usr/bin/attest
(cd / && "$attest" --version) >/dev/null

cp "$here"/CMakeLists.txt "$here"/*.c* "$work/"
cmake -S "$work" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/usr" >"$work/log" 2>&1 || { cat "$work/log"; fail configure; }
cmake --build "$work/build" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail build; }

cd "$work"
"$attest" check --plugin build/libsample.so --budget quick --out out >output 2>&1 || { cat output; fail "the sample is judged"; }
grep -q 'sample/mean-inequality' output || { cat output; fail "the claim is in the table"; }
grep -q 'Every verdict is the one on record' output || { cat output; fail "its verdict and near-miss"; }
"$attest" check --plugin build/libsample.so 'sample/*' boosting/eq-2.5 --budget quick --out out >output 2>&1 || { cat output; fail "beside a built-in claim"; }
refused 'has the interface 999' "$attest" check --plugin build/libfuture.so
refused 'is not a plug-in' "$attest" check --plugin build/libno_plugin.so
refused 'cannot be loaded' "$attest" check --plugin nowhere.so
printf 'installed, built and judged\n'
