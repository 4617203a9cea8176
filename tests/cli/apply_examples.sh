#!/usr/bin/env bash
# Every mechanism writes an example, also with each of its options, and the command that is printed with it evaluates it.
# Usage: apply_examples.sh ATTEST_PROGRAM
set -euo pipefail
attest=$1
source "$(dirname "$0")/expect.sh"
mkdir bin && ln -s "$attest" bin/attest && PATH=$work/bin:$PATH

"$attest" list --attention --json >list.json
python3 - <<'END' >asked
import json
for mechanism in json.load(open("list.json")):
    print(mechanism["name"])
    for option in mechanism["options"]:
        if option["example"]:
            print(mechanism["name"], "--set", option["name"] + "=" + option["example"])
END
examples=0
while read -ra words; do
  rm -f ./*.npz
  expect 0 'try it: ' attest apply "${words[@]}" --example 'an example.npz'
  printed=$(sed -n 's/^try it: //p' said)
  expect 0 'written to out.npz' bash -c "$printed"
  grep -q '^loss ' said || { cat said; fail "no gradients: $printed"; }
  examples=$((examples + 1))
done <asked
[ "$examples" -ge 100 ] || fail "only $examples examples"

# An example in the caller's layout and what else was given are in the command that evaluates it; another length of the
# axes shows which layout the file has.
rm -f ./*.npz
expect 0 'q            float64  [2][12][4]' attest apply softmax --layout bnhd --dtype float32 --lse --example in.npz
printed=$(sed -n 's/^try it: //p' said)
expect 0 'lse          float32  [2][4][12]' bash -c "$printed"
grep -q '^out  *float32  \[2\]\[12\]\[4\]' said || { cat said; fail 'the layout of out'; }
expect 0 '0 of 1 entry outside' attest apply softmax --input in.npz --expect out.npz --layout bnhd --dtype float32 --lse --grad
expect 2 'leave --input out' attest apply softmax --input in.npz --example other.npz
expect 2 'hbnd' attest apply softmax --layout hbnd --example other.npz
expect 2 'banana' attest apply conv2d --example other.npz --set shared=banana
[ ! -e other.npz ] || fail 'a refused example left a file'
echo "$examples examples: as they should be"
