#!/usr/bin/env bash
# Bad input: one clear sentence on standard error that names what is wrong, the documented exit code, nothing half-written.
# Usage: bad_input.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
work=$(mktemp -d); trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0

# expect CODE WORD ARGUMENT...: exit status CODE, exactly one line on standard error, which holds WORD.
expect() {
  local code=$1 word=$2; shift 2
  "$attest" "$@" >stdout 2>stderr; local got=$?
  if [ "$got" != "$code" ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -qF -- "$word" stderr; then
    printf 'attest %s: exit %s (expected %s), standard error (expected one line with "%s"):\n' "$*" "$got" "$code" "$word"
    cat stderr; failures=$((failures + 1))
  fi
}

expect 2 'no/such-statement' check no/such-statement
expect 2 'no/such-statement' explain no/such-statement
expect 2 'nopaper' check --paper nopaper
expect 2 'fast' check --budget fast
expect 2 'banana' check --seed banana
expect 2 'abacus' check --device abacus
expect 2 '--frobnicate' check --frobnicate
expect 2 'frobnicate' frobnicate
# Papers as text.
expect 2 'nowhere.attest' check nowhere.attest
: >empty.attest;                             expect 2 'the file is empty' check empty.attest
printf 'paper "x"\nclaim a\n  says forall x in R: y > 0\n' >name.attest
expect 2 'name.attest, line 3, column 23' check name.attest
printf 'paper "x"\nclaim a\n  says 1 = 1\n  amends b\n' >amends.attest
expect 2 "no claim has the id 'b'" check amends.attest
expect 2 'nowhere.tex' new draft.attest --from nowhere.tex
printf 'no label here\n' >bare.tex;          expect 2 'bare.tex' new draft.attest --from bare.tex
[ ! -e draft.attest ] || { echo 'a draft was left'; failures=$((failures + 1)); }
expect 2 'exists already' new empty.attest --from bare.tex
expect 2 "a paper's file ends in .attest" new draft.txt --from bare.tex
: >draft; expect 2 "a paper's file ends in .attest" check draft
expect 2 'nofile.txt: No such file' try nofile.txt
expect 2 'nowhere.attest' drift bare.tex nowhere.attest
expect 2 'not a folder' check --theorems nowhere
expect 2 'cannot be loaded' check --plugin nowhere.so
expect 2 'missing.json' replay missing.json
echo '{"claim": ' >broken.json;              expect 2 'broken.json' replay broken.json
echo '{"claim": "a/b"}' >lacking.json;       expect 2 'variant' replay lacking.json
echo '{"claim":"a/b","variant":"printed","kind":"deterministic","relation":"<=","inputs":{"x":["0x1p+0"]}}' >unknown.json
expect 2 'a/b' replay unknown.json
echo '{"claim":"boosting/fig-2-right-decay","variant":"printed","kind":"deterministic","relation":"<=","inputs":{"n":["0x1p+4","0x1p+5"],"threshold":["0x1p-10"]}}' >forged.json
expect 2 "'n'" replay forged.json
echo '{"claim":"boosting/eq-a.7-kurtosis","variant":"printed","part":"three-point laws","kind":"deterministic","relation":"<=","inputs":{"N":["0x1p+40"],"p":["0x1p-1"],"eps":["0x1p+0"]}}' >huge.json
expect 2 'sizes up to' replay huge.json
echo '{"claim":"boosting/sec-a-variance","variant":"printed","kind":"deterministic","relation":"=","inputs":{"N":["0x1p+40"],"p":["0x1p-1"]}}' >huge.json
expect 2 'huge.json: ' replay huge.json
expect 2 'no-such-set' measure --data no-such-set
expect 2 'no-such-set' data describe no-such-set
expect 2 'results.json' report "$work"
expect 2 'such as out' report .
echo 'Lorem ipsum' >text.txt
expect 2 'not a folder' report text.txt
expect 2 'is a folder' replay .
expect 2 'text.txt is not a witness' replay text.txt
expect 2 "'-1' is not a whole number" check --seed -1
expect 2 "'-1' is not a whole number" replay text.txt --seed=-1
expect 2 "'18446744073709551616x' is not" check --seed 18446744073709551616x
expect 2 "'99999999999999999999999' is too large" check --seed 99999999999999999999999
expect 2 "'99999999999999999999999' is too large" sweep sweep.toml --seed 99999999999999999999999
expect 2 "'abc' is not a whole number" check --threads abc
expect 2 'did you mean --help?' --hlep
expect 2 'did you mean --help?' check --hlep
expect 2 'did you mean --budget?' check --budgt quick
expect 2 'did you mean check?' chekc
expect 2 "'bad?.csv' is not UTF-8 text" compare $'bad\xff.csv'
expect 2 'name a statement' explain
expect 2 'write attest list --quantities' list quantities
expect 2 'no attention mechanism is called sofmax' list --attention sofmax
touch kernel.py; expect 2 'a function of a Python file is python:kernel.py:f' judge kernel.py:f
                 expect 2 'a function of a Python file is python:kernel.py:FUNCTION' judge kernel.py
[ "$("$attest" help try)" = "$("$attest" try --help)" ] || { echo 'attest help try'; failures=$((failures + 1)); }
[ "$("$attest" version)" = "$("$attest" --version)" ] || { echo 'attest version'; failures=$((failures + 1)); }
[ "$("$attest" list --attention conv2d --json | grep -c '"formula"')" = 1 ] || { echo 'list --attention NAME'; failures=$((failures + 1)); }
expect 2 '--paper is given 2 times' check --paper boosting --paper twicing
expect 2 '--budget needs a value' check --budget
expect 2 'mechanism is missing' apply --input in.npz
expect 2 'witness is missing' replay
expect 2 "'Prop 31'" check 'Prop 31'
expect 2 '--grep' check softmax
expect 2 'use one of' list --finding eror
expect 2 'use one of' explain --verdict wrong
expect 2 'no statement fits all' explain --finding error --verdict certified
expect 2 'one word too many' info everything
expect 2 'the folder nowhere does not exist' check boosting/eq-2.3 --junit nowhere/junit.xml
expect 2 'the folder nowhere does not exist' check boosting/eq-2.3 --json nowhere/results.json
expect 2 'names a folder; name a file' check boosting/eq-2.3 --json .
expect 2 'names a folder; name a file' check boosting/eq-2.3 --junit .
expect 2 'names a folder; name a file' try '1 = 1' --json .
expect 3 '/proc/results.json: ' check boosting/eq-2.3 --json /proc/results.json
if [ -e nowhere ]; then echo 'a folder that was not there was made'; failures=$((failures + 1)); fi
mkdir empty; expect 2 'empty holds no results.json' compare empty empty
expect 2 'empty holds no results.json' check boosting/eq-2.3 --since empty
expect 2 '--errata' report --errata empty
# What has no effect beside another option is refused, not left out in silence.
expect 2 'excludes --' report --bibtex --errata empty
expect 2 'excludes --' report --bibtex --figure-size 3 empty
expect 2 'excludes --' check --mutants --no-mutants boosting/eq-2.3
expect 2 'excludes --' measure --blocks blocks --json blocks.json
expect 2 'excludes --' measure --blocks blocks --checkpoint a.safetensors
expect 2 'excludes --' results --check --add empty
expect 2 '--name requires --add' results --name mine
expect 2 "unknown option --jsn; did you mean --json? attest info --help shows the usage" info --jsn
printf 'Variant,Seed,loss\na,1,1\nb,1,2\n' >capitals.csv
expect 2 "there is no column variant; write Variant in small letters, variant" compare capitals.csv
mkdir numbers; echo '{"experiment": 7}' >numbers/summary.json
mkdir shipped; expect 2 "a result's name names a file" results shipped --add numbers
mkdir stale; echo '{"schema": "attest-results-0"}' >stale/results.json
expect 2 'attest-results-0' report stale
first=$("$attest" list --json | sed -n 's/^ *"id": "\(.*\)",$/\1/p' | sed -n 1p)
touch file; expect 3 'file/below: ' check "$first" --budget quick --out file/below
if [ -e file/below ]; then echo 'something was written below a file'; failures=$((failures + 1)); fi

# Arrays: the file or the setting is named, and no output is begun.
"$attest" apply softmax --example in.npz >/dev/null || failures=$((failures + 1))
expect 2 'exists already' apply twicing --example in.npz
to=(--input in.npz --output out.npz)
expect 2 'sofmax' apply sofmax "${to[@]}"
expect 2 '--input' apply softmax --output out.npz
expect 2 '--output' apply softmax --input in.npz
expect 2 'missing.npz' apply softmax --input missing.npz --output out.npz
expect 2 'out.txt' apply softmax --input in.npz --output out.txt
expect 2 'input qp' apply bilateral "${to[@]}"
expect 2 'flavour' apply softmax "${to[@]}" --set flavour=1
expect 2 'unknown option causl=true; did you mean causal? softmax knows causal' apply softmax "${to[@]}" --set causl=true
expect 2 'causal' apply softmax "${to[@]}" --set causal=banana
expect 2 'key=value' apply softmax "${to[@]}" --set causal
expect 2 'twice' apply softmax "${to[@]}" --set causal=true --set causal=false
expect 2 'float16' apply softmax "${to[@]}" --dtype float8
expect 2 'would overwrite in.npz' apply softmax --input in.npz --output in.npz
expect 2 'would overwrite in.npz' apply softmax --input in.npz --output ./in.npz
expect 2 'window' apply softmax "${to[@]}" --set window=1,2,3
expect 2 'bnhd' apply softmax "${to[@]}" --layout hbnd
expect 2 'no lse' apply twicing "${to[@]}" --lse
expect 2 'not a result' apply softmax --input in.npz --expect in.npz
expect 2 'abacus' apply softmax "${to[@]}" --device abacus
expect 2 'file is not a folder' apply softmax --input in.npz --output file/out.npz
head -c 300 in.npz >cut.npz; expect 2 'cut.npz' apply softmax --input cut.npz --output out.npz
cp in.npz zip.safetensors;   expect 2 'zip.safetensors' apply softmax --input zip.safetensors --output out.npz
grep -q '^device *cuda [0-9]' <<<"$("$attest" info)" || expect 3 'cuda' apply softmax "${to[@]}" --device cuda
# one_token SHAPE_OF_V BYTES_OF_Q: a .safetensors file of one token with one feature; the header is shorter than 256 bytes.
one_token() {
  local header
  header=$(printf '{"k":{"dtype":"F32","shape":[1,1,1,1],"data_offsets":[0,4]},"q":{"dtype":"F32","shape":[1,1,1,1],"data_offsets":[4,8]},"v":{"dtype":"F32","shape":%s,"data_offsets":[8,12]}}' "$1")
  printf "\\x$(printf '%02x' ${#header})\\0\\0\\0\\0\\0\\0\\0%s\\0\\0\\0\\0$2\\0\\0\\0\\0" "$header"
}
one_token '[1,1,1,1]' '\0\0\xc0\x7f' >nan.safetensors;  expect 2 'input q has' apply softmax --input nan.safetensors --output out.npz
one_token '[1,1,1]' '\0\0\0\0' >shape.safetensors;      expect 2 'input v:' apply softmax --input shape.safetensors --output out.npz
one_token '[1,1,1,1]' '\0\0\0\0' >fine.safetensors;     expect 2 'array R' apply softmax --input fine.safetensors --output out.npz --grad
if [ -e out.npz ]; then echo 'a refused call left an output'; failures=$((failures + 1)); fi

# A corrupt data set: the verdicts are kept, and the sentence names the file.
mkdir -p data/fashion-mnist; printf 'not an image' >data/fashion-mnist/t10k-images-idx3-ubyte
printf 'not a label' >data/fashion-mnist/t10k-labels-idx1-ubyte
expect 2 't10k-' measure --data fashion-mnist --data-dir data --budget quick

# Data sets: file, line or record and the fix are named, whatever the format.
describe() { expect 2 "$1" data describe "$2"; }
series='@problemName p\n@equalLength true\n@classLabel true a b\n@data\n'
printf "${series}1,2:a\n1,NaN:b\n" >nan.ts;          describe 'nan.ts, line 6' nan.ts
printf "${series}1,2:a\n1,2:c\n" >label.ts;          describe 'label.ts, line 6' label.ts
printf "${series}1,2:a\n1,2" >cut.ts;                 describe 'cut.ts, line 6' cut.ts
printf '\12\0\0' >cut.bin;                           describe 'cut.bin, record 0' cut.bin
printf 'sentence\tlabel\ngood\t7\n' >label.tsv;     describe 'label.tsv, line 2' label.tsv
printf 'Source\tTarget\n[MAX 1 2 ]\t1\n' >wrong.tsv; describe 'wrong.tsv, line 2' wrong.tsv
printf 'label,text,is_valid\nnegative,"a' >cut.csv;    describe 'cut.csv, line 2' cut.csv
mkdir -p images/a; printf '\x89PNG\r\n\x1a\n' >images/a/1.png; describe 'images/a/1.png' images
printf '\xff\xd8\xff' >images/a/1.png;                describe 'images/a/1.png' images
printf 'good \xff' >text.txt;                         describe 'text.txt' text.txt

# Sweeps: file, line, key and fix; nothing is begun.
spec() { printf '%s\n' "$@" >sweep.toml; }
sweep=(sweep sweep.toml --out swept)
expect 2 'missing.toml' sweep missing.toml --out swept
spec 'quantity = "grc_ratio'                                   ; expect 2 'sweep.toml, line 1' "${sweep[@]}"
spec '[axes]' 't = [0.5]'                                      ; expect 2 'lacks the key quantity' "${sweep[@]}"
spec 'quantity = "grc_ration"' '[axes]' 't = [0.5]'            ; expect 2 'line 1: no quantity is called grc_ration; did you mean grc_ratio?' "${sweep[@]}"
spec 'quantity = "grc_ratio"'                                  ; expect 2 'lacks [axes]' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 'T = [0.5]'             ; expect 2 'line 3: grc_ratio has no parameter T; it takes L, t, n' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0.5, 1.5]'        ; expect 2 'line 3: t = 1.5: it is a number from 0 to 1' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0.5, 0.5]'        ; expect 2 'holds 0.5 twice' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0.5, 1]'          ; expect 3 'processor alone' "${sweep[@]}" --device cuda
spec 'quantity = "grc_grid"' '[axes]' 'n = [1, 2]'             ; expect 2 'abacus' "${sweep[@]}" --device abacus
grep -q '^device *cuda [0-9]' <<<"$("$attest" info)" || expect 3 'cuda' "${sweep[@]}" --device cuda
spec 'quantity = "grc_ratio"' '[axes]' 't = []'                ; expect 2 'line 3' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = "half"'            ; expect 2 'line 3' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 'n = [2.5]'             ; expect 2 'it is an integer' "${sweep[@]}"
spec 'quantity = "grc_ratio"' 'sampels = 3' '[axes]' 't = [0.5]'; expect 2 'line 2: the sweep has no key sampels; did you mean samples?' "${sweep[@]}"
spec 'quantity = "grc_ratio"' 'samples = 3' '[axes]' 't = [0.5]'; expect 2 'line 2: grc_ratio is computed' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = {from = 0, to = 1, point = 3}'   ; expect 2 'has no key point; did you mean points?' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = {from = 0, to = 1}'              ; expect 2 'axis t has no points' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = {from = 1, to = 0, points = 3}'  ; expect 2 'to must lie above from' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = {from = 0, to = 1, points = 3, scale = "log"}' ; expect 2 'above 0' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = {from = 0, to = 1, points = 3, scale = "cubic"}' ; expect 2 'use one of linear, log' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = {from = 0, to = 1, points = 5e5}' 'L = [1, 2, 3]' ; expect 2 'a sweep has at most 1000000' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [1]' '[design]' 'points = 3'     ; expect 2 'no axis to fill' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [1]' '[parameters]' 't = 1'      ; expect 2 't is an axis and fixed too' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0, 1]' '[[figure]]' 'x = "L"' 'y = "per_layer"'  ; expect 2 'x = "L" is not an axis' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0, 1]' '[[figure]]' 'x = "t"' 'y = "per_lair"'   ; expect 2 'is not a result of grc_ratio' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0, 1]' 'L = [1, 2]' '[[figure]]' 'x = "t"' 'y = "per_layer"' ; expect 2 'axis L has several values' "${sweep[@]}"
spec 'quantity = "grc_ratio"' '[axes]' 't = [0.5]'
expect 2 '3/2' "${sweep[@]}" --shard 3/2
expect 2 'half' "${sweep[@]}" --shard half
expect 3 'file' sweep sweep.toml --out file/below
expect 3 'nowhere' "${sweep[@]}" --merge nowhere
rm -rf swept; mkdir swept; echo 'not a database, but long enough to look like a file of something else altogether' >swept/run.db
expect 2 'swept/run.db' "${sweep[@]}"
rm -rf swept; "$attest" "${sweep[@]}" >/dev/null || failures=$((failures + 1))
expect 2 '--resume' "${sweep[@]}"
sum=$(cat swept/run.db swept/points.* | sha256sum)
spec 'quantity = "grc_ratio"' '[axes]' 't = [0.25]'
expect 2 "holds points that are not this sweep's" "${sweep[@]}" --resume
[ "$sum" = "$(cat swept/run.db swept/points.* | sha256sum)" ] || { echo 'a refused sweep changed the run'; failures=$((failures + 1)); }
expect 2 "none of its points is one of this sweep's" sweep sweep.toml --out other --merge swept
spec 'quantity = "grc_ratio"' '[axes]' 't = [0.25, 0.5]'
"$attest" "${sweep[@]}" --resume >/dev/null || { echo 'a longer axis was refused'; failures=$((failures + 1)); }
# A disk without room: what could not be written is an error, whatever was to be written, and a device stays one.
if [ -c /dev/full ]; then
  for words in "try 1=1" "try 1=1 --json" "check $first --budget quick" "list" "info" "--help" "check --help"; do
    read -ra words <<<"$words"
    "$attest" "${words[@]}" >/dev/full 2>stderr; got=$?
    if [ "$got" != 3 ] || [ "$(grep -c 'cannot write to standard output: No space left on device' stderr)" != 1 ]; then
      printf 'attest %s >/dev/full: exit %s\n' "${words[*]}" "$got"; cat stderr; failures=$((failures + 1))
    fi
  done
  expect 3 '/dev/full: No space left on device' try '1 = 1' --json /dev/full
  [ -c /dev/full ] || { echo '/dev/full was replaced by a file'; failures=$((failures + 1)); }
fi
# Folders and endless devices are refused, not read.
mkdir -p folder.attest
expect 2 'folder.attest: it is a folder' check folder.attest
expect 2 '/dev/zero: it is a device' try /dev/zero
expect 2 'folder.attest: it is a folder' try folder.attest
expect 2 'nowhere.attest: No such file' try nowhere.attest
expect 2 '/dev/zero: it is a device' new draft.attest --from /dev/zero
expect 2 '/dev/zero: it is a device' drift bare.tex /dev/zero
expect 2 '/dev/zero: it is a device' replay /dev/zero
expect 2 '/dev/zero: it is a device' verify /dev/zero
expect 2 '/dev/zero: it is a device' compare /dev/zero
expect 2 '/dev/zero: it is a device' bench /dev/zero
expect 2 '/dev/zero: it is a device' check --since /dev/zero
expect 2 '/dev/zero: it is a device' check --training /dev/zero
expect 2 '/dev/zero: it is a device' judge python:kernels:right --case /dev/zero
expect 2 '/dev/zero: it is a device' train /dev/zero
expect 2 '/dev/zero: it is a device' data describe /dev/zero
expect 2 '/dev/zero: it is a device' train --price /dev/zero
expect 2 'folder.attest' check --training folder.attest
expect 2 'nowhere' bench nowhere
expect 2 'nowhere' check --since nowhere
expect 2 'no results.json' explain boosting/thm-3.1 --out nowhere
expect 2 'list, describe or fetch' data
# What a file holds is quoted in one line, without what a terminal would obey.
printf 'variant,seed,loss\n"a\nb\033[31m",1,2\nc,1,1\n"a\nb\033[31m",2,2\n' >lines.csv
expect 2 'a b [31m' compare lines.csv
[ "$failures" = 0 ] || { printf '%d failures\n' "$failures"; exit 1; }
