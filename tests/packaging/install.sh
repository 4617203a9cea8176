#!/usr/bin/env bash
# What `cmake --install` and `cpack` make of a build: the program alone, then the library for a program of another's.
# Usage: install.sh BUILD_FOLDER
set -uo pipefail
build=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }

cmake --install "$build" --component runtime --prefix "$work/usr" >log 2>&1 || { cat log; fail 'install of the runtime'; }
export PATH="$work/usr/bin:$PATH"
[ "$(attest --version)" = "$("$build/bin/attest" --version)" ] || fail 'the installed program'
PYTHONPATH="$work/usr/lib/python3/dist-packages" python3 -c '
import attest
assert attest.try_("forall x in R: x^2 >= 0").stands' || fail 'the installed Python module'
PYTHONPATH="$work/usr/lib/python3/dist-packages" python3 -c '
import importlib.metadata
found = importlib.metadata.distribution("attest").entry_points
assert [(e.group, e.value) for e in found] == [("pytest11", "attest.pytest_plugin")], found' || fail 'the entry point for pytest'
bash -c 'source usr/share/bash-completion/completions/attest; COMP_WORDS=(attest che); COMP_CWORD=1; _attest; [ "${COMPREPLY[*]}" = check ]' || fail 'completion of a verb'
bash -c 'source usr/share/bash-completion/completions/attest; COMP_WORDS=(attest check --bud); COMP_CWORD=2; _attest; [ "${COMPREPLY[*]}" = --budget ]' || fail 'completion of an option'
if command -v man >/dev/null; then
  MANWIDTH=80 man -l --warnings -E UTF-8 usr/share/man/man1/attest.1 >page 2>complaints || fail 'the manual page'
  [ ! -s complaints ] || { head complaints; fail 'man complains of the manual page'; }
  grep -q -- '--budget' page || fail 'the manual lacks an option'
fi
size=$(du -sm usr | cut -f1)
[ "$size" -le 50 ] || fail "the runtime takes $size MB"

cmake --install "$build" --component development --prefix "$work/usr" >log 2>&1 || { cat log; fail 'install of the library'; }
mkdir consumer
cat >consumer/CMakeLists.txt <<'EOF'
cmake_minimum_required(VERSION 3.25)
project(consumer LANGUAGES CXX)
find_package(Attest 0.1.0 REQUIRED)
add_executable(consumer main.cpp)
target_link_libraries(consumer PRIVATE Attest::kernels)
EOF
cat >consumer/main.cpp <<'EOF'
#include <cstdio>

#include "kernels/digest/sha256.hpp"
#include "kernels/random/stream.hpp"

int main() {
  attest::random::Stream stream(1, 2, 3);
  std::printf("%s %d\n", attest::digest::sha256("").substr(0, 8).c_str(), stream.normal() == stream.normal());
}
EOF
cmake -S consumer -B consumer/build -DCMAKE_PREFIX_PATH="$work/usr" >log 2>&1 && cmake --build consumer/build >>log 2>&1 ||
  { tail -n 20 log; fail 'find_package(Attest)'; }
[ "$(consumer/build/consumer)" = 'e3b0c442 0' ] || fail 'the program over the library'
flags=$(PKG_CONFIG_PATH=$(dirname "$(find usr -name attest.pc)") pkg-config --define-variable=prefix="$work/usr" --cflags attest) || fail 'pkg-config'
grep -q "$work/usr/include/attest" <<<"$flags" || fail 'pkg-config'

if command -v dpkg-deb >/dev/null; then
  cpack --config "$build/CPackConfig.cmake" -B "$work/packages" >log 2>&1 || { tail -n 20 log; fail 'cpack'; }
  package=$(ls packages/attest_*.deb 2>/dev/null)
  dpkg-deb -c "$package" >content && grep -q './usr/bin/attest$' content || fail 'the Debian package'
  [ "$(dpkg-deb -f "$package" Installed-Size)" -le 51200 ] || fail 'the package is larger than 50 MB installed'
  grep -q libfmt <<<"$(dpkg-deb -f "$package" Depends)" || fail 'the package does not name the libraries that it needs'
fi
exit $((failures > 0))
