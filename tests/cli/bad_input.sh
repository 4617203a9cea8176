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
expect 2 'missing.json' replay missing.json
echo '{"claim": ' >broken.json;              expect 2 'broken.json' replay broken.json
echo '{"claim": "a/b"}' >lacking.json;       expect 2 'variant' replay lacking.json
echo '{"claim":"a/b","variant":"printed","kind":"deterministic","relation":"<=","inputs":{"x":["0x1p+0"]}}' >unknown.json
expect 2 'a/b' replay unknown.json
expect 2 'no-such-set' measure --data no-such-set
expect 2 'no-such-set' data describe no-such-set
expect 3 'results.json' report "$work"
mkdir stale; echo '{"schema": "attest-results-0"}' >stale/results.json
expect 2 'attest-results-0' report stale
first=$("$attest" list --json | sed -n 's/^ *"id": "\(.*\)",$/\1/p' | head -n 1)
touch file; expect 3 'file' check "$first" --budget quick --out file/below
if [ -e file/below ]; then echo 'something was written below a file'; failures=$((failures + 1)); fi

# Arrays: the file or the setting is named, and no output is begun.
"$attest" apply softmax --example in.npz >/dev/null || failures=$((failures + 1))
to=(--input in.npz --output out.npz)
expect 2 'sofmax' apply sofmax "${to[@]}"
expect 2 '--input' apply softmax --output out.npz
expect 2 '--output' apply softmax --input in.npz
expect 2 'missing.npz' apply softmax --input missing.npz --output out.npz
expect 2 'out.txt' apply softmax --input in.npz --output out.txt
expect 2 'input qp' apply bilateral "${to[@]}"
expect 2 'flavour' apply softmax "${to[@]}" --set flavour=1
expect 2 'causal' apply softmax "${to[@]}" --set causal=banana
expect 2 'key=value' apply softmax "${to[@]}" --set causal
expect 2 'twice' apply softmax "${to[@]}" --set causal=true --set causal=false
expect 2 'float16' apply softmax "${to[@]}" --dtype float16
expect 2 'abacus' apply softmax "${to[@]}" --device abacus
expect 3 'file' apply softmax --input in.npz --output file/out.npz
head -c 300 in.npz >cut.npz; expect 2 'cut.npz' apply softmax --input cut.npz --output out.npz
cp in.npz zip.safetensors;   expect 2 'zip.safetensors' apply softmax --input zip.safetensors --output out.npz
"$attest" info | grep -q '^device *cuda [0-9]' || expect 3 'cuda' apply softmax "${to[@]}" --device cuda
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
expect 3 't10k-' measure --data fashion-mnist --data-dir data --budget quick
[ "$failures" = 0 ] || { printf '%d failures\n' "$failures"; exit 1; }
