#!/usr/bin/env bash
# What the launcher answers where nothing is built: help and the version at once, and no word that is not a verb.
# Usage: launcher.sh SOURCE_FOLDER PROGRAM
set -euo pipefail
source_folder=$1 program=$2
. "$source_folder/tests/cli/expect.sh"

cp "$source_folder/attest" "$source_folder/CMakeLists.txt" .
for words in --help --version help 'help check'; do
  # shellcheck disable=SC2086
  ./attest $words >said 2>&1 || fail "./attest $words: $(head -n 1 said)"
done
expect 2 "unknown verb 'buidl'; the verbs are check try" ./attest buidl --help
expect 2 "unknown verb '--hlep'; the verbs are" ./attest --hlep
[ ! -e build ] || fail "a build was begun"

# The launcher's verbs are the program's, and test.
sed -n '/^verbs=(/,/)/p' attest | tr -d '()' | sed 's/^verbs=//' | xargs -n 1 | grep -vx test | sort >launched
"$program" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | sort >offered
diff launched offered || fail "the launcher's list of verbs is not the program's"
[ "$(wc -l <offered)" -ge 20 ] || fail "the program's help lists its verbs no more"
