#!/bin/bash
# Packs what a build needs from Debian's packages for a machine that has nvcc, CMake, Ninja and a C++ compiler but none of
# those packages and no network: headers, libraries and CMake files of the installed development packages and of all they
# depend on, without the C and C++ run times.
#
#   tests/benchmarks/bundle_for_device.sh [FILE]       default: out/device-bundle.tar.gz
#
# On that machine, as root: tar -C / --skip-old-files -xzf FILE && ldconfig, which replaces nothing that is there; then
# tests/benchmarks/on_device.sh (its option --bundle FILE does both).
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
file=${1:-$root/out/device-bundle.tar.gz}
# The packages that the launcher installs for every verb, and GoogleTest.
eval "$(sed -n '/^core=(/,/)$/p; /^separate_arb=/p' "$root/attest")"
queue=("${core[@]}" "$separate_arb" libgtest-dev libgmock-dev)
# What such a machine has, in its own version.
kept_out='^(g\+\+|gcc|cpp|cmake|ninja-build|libc6|libc6-dev|libc-bin|libstdc\+\+.*|libgcc.*|gcc-.*|g\+\+-.*|cpp-.*|linux-libc-dev|libc-dev-bin|binutils.*|python3.*|perl.*|dpkg.*|debconf.*|libcrypt.*|libasan.*|libtsan.*|libubsan.*|libitm.*|liblsan.*|libquadmath.*|libcc1.*|rpcsvc-proto|libtirpc.*|libnsl.*)$'
declare -A seen=()
while [ ${#queue[@]} -gt 0 ]; do
  package=${queue[0]}
  queue=("${queue[@]:1}")
  if [ -n "${seen[$package]:-}" ] || [[ $package =~ $kept_out ]]; then continue; fi
  seen[$package]=1
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
  [ "$status" = installed ] || { unset "seen[$package]"; continue; }
  mapfile -t needs < <(dpkg-query -W -f '${Depends}, ${Pre-Depends}' "$package" | tr ',|' '\n\n' | sed 's/(.*//; s/:any//; s/ //g' | grep . || true)
  queue+=("${needs[@]}")
done
mkdir -p "$(dirname "$file")"
list=$(mktemp)
trap 'rm -f "$list" "$file.part"' EXIT
for package in "${!seen[@]}"; do dpkg-query -L "$package"; done | sort -u |
  grep -E '^/usr/(include|lib|share/(eigen3|cmake|pkgconfig|nlohmann_json|pegtl))/|^/lib/x86_64' |
  grep -vE '/(doc|python3|bash-completion|systemd|locale)/|/engines-|/libicudata|\.pyc?$' |
  while read -r path; do if [ -L "$path" ] || [ -f "$path" ]; then
    # Static libraries are wanted where there is no other.
    case $path in *.a) case $path in */libgtest*|*/libgmock*) ;; *) continue ;; esac ;; esac
    echo "${path#/}"
  fi; done > "$list"
tar -C / --sort=name --owner=0 --group=0 -czf "$file.part" -T "$list"
mv "$file.part" "$file"
printf '%s: %s files of %s packages, %s\n' "$file" "$(wc -l < "$list")" "${#seen[@]}" "$(du -h "$file" | cut -f1)"
