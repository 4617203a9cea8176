#!/usr/bin/env bash
# A build that lacks packages names all of them, by their Debian names, which the launcher installs too.
# Usage: missing_packages.sh SOURCE_FOLDER
set -euo pipefail
source_folder=$1
. "$source_folder/tests/cli/expect.sh"

cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.25)
project(none LANGUAGES NONE)
include($source_folder/.cmake/dependencies.cmake)
require_package(libnone-dev Nonesuch 3.1)
require_header(libnone-dev NONE_INCLUDE_DIR none-such.h)
require_library(libother-dev OTHER_LIBRARY none_such)
stop_if_packages_are_missing()
END
expect 1 'Not found, or too old: Nonesuch, none-such.h, the library none_such. On Debian and Ubuntu install: libnone-dev libother-dev' \
  cmake -S . -B build

# separate_arb of the launcher is the package of older FLINTs.
for package in $(sed -n 's/^ *require_[a-z]*(\([^ ]*\) .*/\1/p' "$source_folder/CMakeLists.txt" | sort -u); do
  grep -qw -- "$package" "$source_folder/attest" || fail "./attest does not install $package, which CMakeLists.txt requires"
done
