#!/usr/bin/env bash
# Options that name what is written, of every verb: a folder in place of a file, a file in place of a folder, a folder
# that is not there, one file for two options, and a file that is read are refused in one sentence before anything is
# computed or made.
# Usage: output_options.sh ATTEST_PROGRAM
set -euo pipefail
attest=$1
source "$(dirname "$0")/expect.sh"
mkdir folder && echo 'not a folder' >file

# Help shows FILE for a file to write and DIR for a folder to write: so no option is left out here.
declare -A words=([try]="1=1" [check]="boosting/eq-2.3" [judge]="python:none:f" [compare]="none.csv" [apply]="softmax"
  [sweep]="none.toml" [export]="none" [repeat]="none" [bench]="" [measure]="")
asked=0
refused() { # refused WORDS COMMAND...: exit code 2, one line, which holds WORDS, and nothing is made
  expect 2 "$@"
  [ "$(wc -l <said)" = 1 ] || { cat said; fail "more than one line: ${*:2}"; }
  if [ -e missing ] || [ -n "$(ls folder)" ] || [ "$(cat file)" != 'not a folder' ]; then fail "something was made: ${*:2}"; fi
  asked=$((asked + 1))
}
for verb in $("$attest" --help | sed -n '/^Subcommands/,$s/^  \([a-z]*\)  .*/\1/p'); do
  help=$("$attest" "$verb" --help) || fail "$verb --help"
  for option in $(sed -n 's/^ *\(--[a-z-]*\) FILE.*/\1/p' <<<"$help"); do
    [ -n "${words[$verb]+there}" ] || fail "$verb has $option and is not in this test's table"
    read -ra rest <<<"${words[$verb]}"
    refused 'names a folder; name a file' "$attest" "$verb" "${rest[@]}" "$option" folder
    [ "$option" = --evidence ] || refused 'the folder missing does not exist' "$attest" "$verb" "${rest[@]}" "$option" missing/file
  done
  for option in $(sed -n 's/^ *\(--[a-z-]*\) DIR.*/\1/p' <<<"$help"); do
    [ -n "${words[$verb]+there}" ] || fail "$verb has $option and is not in this test's table"
    read -ra rest <<<"${words[$verb]}"
    refused 'file is not a folder' "$attest" "$verb" "${rest[@]}" "$option" file
  done
  # Whatever writes results bears these names, and is found by the marks above.
  if grep -E '^ *--(json|junit|sarif|output|example|evidence|figure) TEXT' <<<"$help"; then fail "$verb: an output that is not marked as one"; fi
done
expect 2 '--figure-size: a width in inches, 1000000000' "$attest" report folder --figure-size 1e9
expect 2 '--figure-font: a size in points, 99' "$attest" report folder --figure-font Arial,99
[ "$asked" -ge 30 ] || fail "only $asked options were asked"
refused '--json and --junit both name ./same' "$attest" check boosting/eq-2.3 --json same --junit ./same
# What is read is not overwritten, whatever names it.
printf 'paper "P"\n\nclaim a\n  title x\n  says forall x in R: x^2 >= 0\n' >mine.attest
echo 'forall x in R: x^2 >= 0' >mine.txt
printf 'variant,seed,loss\na,1,1\nb,1,2\n' >mine.csv
printf 'def f(q, k, v):\n    return v\n' >mine.py
ln -s mine.csv linked.csv
cat mine.* >before
for option in --json --junit --sarif; do refused 'would overwrite mine.attest, which is read' "$attest" check mine.attest --out run "$option" ./mine.attest; done
refused 'would overwrite mine.txt, which is read' "$attest" try mine.txt --evidence mine.txt
refused 'would overwrite mine.csv, which is read' "$attest" compare mine.csv --json linked.csv
refused 'would overwrite mine.csv, which is read' "$attest" compare mine.csv --figure mine
refused '--json and --figure both name drawn.csv' "$attest" compare mine.csv --json drawn.csv --figure drawn
refused 'would overwrite mine.py, which is read' "$attest" judge python:mine.py:f --json "$PWD/mine.py"
cat mine.* | cmp - before || fail 'a file that is read was overwritten'
expect 0 '"verdict": "certified"' "$attest" try --json 'forall x in R: x^2 >= 0'  # the statement is not taken as the file
refused 'put --json last' "$attest" bench --json file
# "-" is standard output, and a file that this is sent to is written on, not replaced.
expect 0 '"verdict": "certified"' "$attest" try 'forall x in R: x^2 >= 0' --json -
"$attest" check boosting/eq-2.3 --budget quick --no-measure --out run --json /dev/stdout >both || fail 'a record on standard output'
if [ -L /dev/stdout ]; then grep -q '"schema"' both; else fail '/dev/stdout was replaced'; fi
expect 0 'drawn.svg' "$attest" compare mine.csv --figure drawn.svg  # the ending is one of the figure's
if [ ! -e drawn.csv ] || [ -e drawn.svg.csv ]; then fail 'the ending of a figure is not taken off'; fi
[ ! -e - ] || fail 'standard output is a file of the name -'
echo "$asked options that name an output: as they should be"
