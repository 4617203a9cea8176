#!/usr/bin/env bash
# attest list and attest explain: what they find, how wide they write, and that explain needs no run.
# Usage: statements.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }
ids() { "$attest" list "$@" --json | sed -n 's/^  "id": "\(.*\)",$/\1/p'; }

all=$(ids | wc -l)
[ "$all" -gt 100 ] || fail "list knows $all statements only"
[ "$(ids 'boosting/*' | grep -vc '^boosting/')" = 0 ] || fail 'a glob finds other papers'
[ "$(ids --paper boosting --paper twicing | sed 's,/.*,,' | sort -u | tr '\n' ' ')" = 'boosting twicing ' ] || fail '--paper'
[ "$(ids --paper boosting | wc -l)" -lt "$all" ] || fail '--paper leaves nothing out'
[ "$(ids 'Thm 3.1' --paper boosting)" = boosting/thm-3.1 ] || fail 'a label finds more than itself'
[ "$(ids 'THEOREM 3.1')" = "$(ids 'theorem 3.1')" ] || fail 'capitals matter'
[ "$(ids twicing)" = "$(ids --paper twicing)" ] || fail "a paper's name"
grep -qx boosting/thm-3.1 <<<"$(ids 'theorem 3.1')" || fail "'theorem 3.1' does not find boosting/thm-3.1"
grep -qv '"error"' <<<"$("$attest" list --finding error --json | grep '"finding"')" && fail '--finding error finds others'
[ "$(ids --finding error --finding constant | wc -l)" = $(($(ids --finding error | wc -l) + $(ids --finding constant | wc -l))) ] || fail 'two findings'
grep -qv '"refuted"' <<<"$("$attest" list --verdict refuted --json | grep '"expected"')" && fail '--verdict refuted finds others'
grep -qx twicing/prop-1 <<<"$(ids --grep 'eigencapacity decays')" || fail '--grep'
[ "$(ids --grep 'no-such-word-anywhere' | wc -l)" = 0 ] || fail '--grep finds what is not there'

# One line within the terminal's width, unless an id alone is wider.
for columns in 60 80 120; do
  widest=$(COLUMNS=$columns "$attest" list | python3 -c 'import sys; print(max(len(l.rstrip("\n")) for l in sys.stdin if "  " in l))')
  [ "$widest" -le "$columns" ] || fail "list writes $widest of $columns columns"
done
grep -q $'\x1b' <<<"$(NO_COLOR=1 "$attest" list)" && fail 'colours where none are wanted'

# Without a run the record speaks; nothing is judged, and amendments show.
"$attest" explain boosting/eq-2.3 >text || fail 'explain without a run'
grep -q 'On record: refuted, slip' text || fail 'the verdict on record'
grep -q 'Amended by' text || fail 'amendments'
[ ! -e out ] || fail 'explain made a folder'
[ "$("$attest" explain boosting/eq-2.3 --json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["id"])')" = boosting/eq-2.3 ] || fail 'explain --json'
[ "$("$attest" explain 'theorem 3.1' --paper boosting | grep -c '^On record')" != 1 ] || fail 'explain of several statements'

# A paper may be one file, its head and its claims together; a head alone says nothing.
mkdir -p texts/one texts/two
printf 'paper "One file"\nclaim square\n  says forall x in R: x^2 >= 0\n' >texts/one/paper.attest
printf 'paper "A head alone"\n' >texts/two/paper.attest
"$attest" check --theorems texts 'one/*' --budget quick --out one >log 2>&1 || { cat log; fail 'a paper of one file'; }
grep -q 'one/square' log || fail 'the claim of a paper of one file'

# The program under the name of a family judges that family alone.
ln -s "$attest" check_twicing_bias && ln -s "$attest" check_no_such_family
./check_twicing_bias twicing/small-bias-property --budget quick --out family >log 2>&1 || { cat log; fail 'check_twicing_bias'; }
./check_twicing_bias boosting/eq-2.3 --out family >log 2>&1 && fail 'a family judges the statements of another'
./check_no_such_family --out family >log 2>&1; [ $? = 2 ] || fail 'a family that is not there'
grep -q "unknown family 'no_such_family'" log || fail 'the sentence on a family that is not there'

# LaTeX: balanced, and everything of it can be set where a LaTeX is installed.
"$attest" explain --paper boosting --tex >appendix.tex || fail 'explain --tex'
grep -q 'paragraph{Eq 2.3' appendix.tex || fail 'the appendix lacks Eq 2.3'
[ "$(grep -o '\\\[' appendix.tex | wc -l)" = "$(grep -o '\\\]' appendix.tex | wc -l)" ] || fail 'formulas do not close'
if command -v lualatex >/dev/null; then
  printf '\\documentclass{article}\\usepackage{amsmath,amssymb}\\begin{document}\\input{appendix}\\end{document}\n' >main.tex
  lualatex -interaction=nonstopmode -halt-on-error main.tex >log || { tail -n 20 log; fail 'LaTeX refuses the appendix'; }
fi
exit $((failures > 0))
