#!/usr/bin/env bash
# attest compare: verdicts on losses, refusals with line and column, and what changed between two records.
#   compare.sh ATTEST
set -euo pipefail
attest=$1
source "$(dirname "$0")/expect.sh"

# Twelve seeds; twicing loses 0.1 less each time, and copy is softmax with other noise.
{
  echo "variant,seed,loss,accuracy"
  for seed in $(seq 1 12); do
    for variant in softmax:0:0 twicing:0.1:0.05 copy:0:0; do
      IFS=: read -r name gain more <<< "$variant"
      awk -v n="$name" -v s="$seed" -v g="$gain" -v m="$more" 'BEGIN {
        noise = (n == "copy" ? -1 : 1) * 0.01 * sin(7 * s);
        printf "%s,%d,%.6f,%.6f\n", n, s, 2 - g + 0.1 * sin(s) + noise, 0.5 + m + 0.05 * sin(s) + noise }'
    done
  done
} > losses.csv

expect 0 "twicing better" "$attest" compare losses.csv --metric loss --json losses.json
grep -q "symmetric about the effect" said || fail "the assumption is not said"
grep -q "after 11 of 12 pairs" said || { cat said; fail "when it was decided is not said"; }
expect 0 "undecided" "$attest" compare losses.csv --metric loss
expect 0 "no difference above 0.05" "$attest" compare losses.csv --metric loss --smallest 0.05
expect 0 "mean difference in [" "$attest" compare losses.csv --metric accuracy --better higher --range 0,1 --baseline softmax
grep -q "over 2 comparisons" said || fail "the baseline's comparisons are not counted"
expect 0 "over 6 comparisons" "$attest" compare losses.csv --metric loss --also accuracy:higher
for word in '"schema": "attest-comparison-1"' '"verdict": "b better"' '"interval_class": "symmetric"' '"assumption"'; do
  grep -qF "$word" losses.json || fail "losses.json lacks $word"
done
head -16 losses.csv > few.csv
expect 0 "would decide" "$attest" compare few.csv --metric loss
grep -q "No verdict is possible with fewer than 10 pairs" said || fail "the fewest pairs are not said"
grep -q "no interval yet: 10 pairs needed" said || { cat said; fail "what is missing for an interval"; }
printf 'variant,seed,loss\na,1,1\na,2,1.1\nb,1,2\nb,2,2.3\n' > two.csv
expect 0 "no interval yet: 9 pairs needed" "$attest" compare two.csv --json two.json --figure pair
grep -qi "nan\|inf" two.json pair.csv said && fail "a number that is none"
python3 -c 'import json; json.load(open("two.json"), parse_constant=lambda word: 1 / 0)' || fail "two.json is not JSON"
expect 0 "no interval yet: 9 pairs needed" "$attest" compare - < two.csv
# A mean is printed with the digits that its interval has: differences of 0.02 and 0.04 in turn, with one last digit more.
awk 'BEGIN { print "variant,seed,loss"; for (s = 1; s <= 24; ++s) printf "a,%d,%.7f\nb,%d,1\n", s, 1 + (s % 2 ? 0.0200001 : 0.0400001), s }' >digits.csv
expect 0 "+0.0300 " "$attest" compare digits.csv
expect 0 "variant,seed,loss" "$attest" compare --example -
[ ! -e - ] || fail "an example for standard output is a file of that name"
# Names of variants are texts, whatever they look like, in every file that is drawn of them.
python3 - >hostile.csv <<'END'
names = ['<script>alert(1)</script>', r'\input{/etc/passwd}', '`touch pwned`', "'; system('touch pwned'); '", 'two\nlines',
         '\u202eturned', '=1+1', 'x' * 100_000]
print('variant,seed,loss')
for v, name in enumerate(names):
    for seed in range(2):
        print('"' + name.replace('"', '""') + f'",{seed},{v + 0.1 * seed}')
END
expect 0 "28 comparisons" "$attest" compare hostile.csv --figure hostile-figure --json hostile.json
for file in said hostile-figure.svg hostile-figure.tex hostile-figure.csv; do
  if grep -qF $'\xe2\x80\xae' "$file"; then fail "a mark that turns the text is in $file"; fi
done
grep -qF '<script>' hostile-figure.svg && fail 'a script in a drawing'
sed '/^%/d' hostile-figure.tex >commands.tex  # a comment says how to read it
grep -qF '\input' commands.tex && fail 'a command in TeX'
[ ! -e pwned ] || fail 'a name was run'
# A hundred thousand rows end: neither seeds nor ranks are looked for one by one.
python3 - >long.csv <<'END'
import random
random.seed(1)
print('variant,seed,loss')
for seed in range(50_000):
    loss = random.random()
    print(f'a,{seed},{loss:.6f}')
    print(f'b,{seed},{loss + random.gauss(0, 0.01):.6f}')
END
expect 0 "paired seeds" timeout 120 "$attest" compare long.csv
grep -q "pairs like these 50000 would not decide\|after .* of 50.*000 pairs" said || fail "a long file"

# A name of any length has its place in the table.
python3 -c 'print("variant,seed,loss"); [print(f"{name * 5000},{seed},{seed + number}") for seed in range(20) for number, name in enumerate("ab")]' >names.csv
expect 0 "aaaa… better" "$attest" compare names.csv
[ "$(wc -L <said)" -lt 400 ] || fail "long names fill the table"

expect 2 "name the primary one with --metric" "$attest" compare losses.csv
expect 2 "say so by --better lower or --better higher" "$attest" compare losses.csv --metric accuracy
expect 2 "say so by --also accuracy:lower or --also accuracy:higher" "$attest" compare losses.csv --metric loss --also accuracy
expect 2 "no column is called acc; did you mean accuracy?" "$attest" compare losses.csv --metric acc
expect 2 "losses.csv is not a record of attest check" "$attest" compare losses.csv few.csv
expect 2 "--smallest: '-1' is not a finite number from 0 on" "$attest" compare losses.csv --metric loss --smallest -1
expect 2 "--smallest: 'nan' is not a finite number" "$attest" compare losses.csv --metric loss --smallest nan
expect 2 "--level: '0' is not a number from 1e-9 to 0.5" "$attest" compare losses.csv --metric loss --level 0
expect 2 "--level: 'nan' is not a number from 1e-9 to 0.5" "$attest" compare losses.csv --metric loss --level nan
expect 2 "names a folder; name a file" "$attest" compare losses.csv --metric loss --json "$work"
expect 2 "names a folder; name a file" "$attest" compare losses.csv --metric loss --figure "$work"
printf 'variant,seed,loss\na,1,1\nm\xfcller,1,2\n' > latin.csv
expect 2 "latin.csv is not UTF-8 text: byte 0xfc at line 3" "$attest" compare latin.csv
printf 'variant,seed,loss\na,1,1\nb,1,2\n' > one.csv
expect 0 "pairs like this one would" "$attest" compare one.csv
expect 2 "there is no such variant" "$attest" compare losses.csv --metric loss --baseline nobody
expect 2 "give two numbers that rise" "$attest" compare losses.csv --metric loss --range 1
expect 2 "outside --range 0,1" "$attest" compare losses.csv --metric loss --range 0,1
sed -E '5s/^([^,]*,[^,]*),[^,]*/\1,nan/' losses.csv > nan.csv
expect 2 "nan.csv, line 5: column 3 (loss) holds \"nan\"" "$attest" compare nan.csv --metric loss
sed '7d' losses.csv > missing.csv
expect 2 "missing.csv, line" "$attest" compare missing.csv --metric loss
expect 2 "absent.csv" "$attest" compare absent.csv
tr , ';' < losses.csv > semicolons.csv
expect 2 "semicolons.csv, line 1: its columns are separated by ';'" "$attest" compare semicolons.csv
expect 2 "--figure-size requires --figure" "$attest" compare losses.csv --metric loss --figure-size 3.3
expect 2 "is a folder" "$attest" compare .
expect 3 "cannot make the folder /proc/none: " "$attest" compare losses.csv --metric loss --json kept.json --figure /proc/none/figure
[ -s kept.json ] || fail "a figure that cannot be drawn costs the record"

expect 0 "invented losses" "$attest" compare --example example.csv
expect 2 "exists already" "$attest" compare --example example.csv
expect 0 "twicing better" "$attest" compare example.csv --smallest 0.02
grep -q "no difference above 0.02" said || { cat said; fail "the example has no pair without a difference"; }
expect 2 "--example FILE writes a file to begin with" "$attest" compare
expect 2 "leave losses.csv out" "$attest" compare losses.csv --example another.csv
[ ! -e another.csv ] || fail "a refused example left a file"

# Two records: one claim with a verdict that changes.
record() {
  cat <<JSON
{"schema": "attest-results-1", "suite": {"version": "0", "seed": "1", "budget": "quick", "device": "cpu", "threads": 1,
 "false_alarm_bound": 1e-6, "started": "", "seconds": 1},
 "claims": [{"id": "boosting/x", "paper": "boosting", "label": "Eq 1", "title": "t", "kind": "identity", "statement": "$3",
 "assumptions": [], "printed": true, "amends": null, "verdict": "$1", "expected": "supported", "finding": $4,
 "evidence": {"protocol": "expectation", "estimate": $2, "interval": [$2, $2]}, "witness": null, "mutants": [],
 "near_misses": [], "seconds": 1}]}
JSON
}
mkdir -p before same weaker other
record supported 1 "a = b" null > before/results.json
record supported 1 "a = b" null > same/results.json
record undecided 1 "a = b" null > weaker/results.json
record supported 2 "a = c" '"constant"' > other/results.json
expect 0 "nothing changed" "$attest" compare before same
expect 1 "1 change, 1 for the worse" "$attest" compare before weaker --json changes.json
grep -q '"what": "verdict"' changes.json || fail "changes.json lacks the verdict"
expect 0 "1 change, 0 for the worse" "$attest" compare weaker/results.json before
expect 0 "statement" "$attest" compare before other
grep -q "evidence" said || fail "disjoint intervals are not a change"
grep -q "finding" said || fail "a finding is not a change"
expect 2 "results.json" "$attest" compare before "$work/nowhere/results.json"
for option in "--smallest 0.1" "--level 0.1" "--metric loss" "--better lower" "--also a" "--baseline a" "--range 0,1" "--figure f"; do
  expect 2 "${option%% *} is for paired results" "$attest" compare before same $option
done
echo '{"schema": "attest-results-0"}' > old.json
expect 2 "old.json" "$attest" compare before old.json
echo "attest compare: as it should be"
