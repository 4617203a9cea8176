#!/usr/bin/env bash
# A paper of one's own after its check: its statements are found, explained, set in LaTeX, evaluated again, and shown
# beside their lines; what has no evidence file is said. Usage: own_paper.sh ATTEST_PROGRAM
set -euo pipefail
attest=$1
source "$(dirname "$0")/expect.sh"

cat >'my bound.attest' <<'END'
paper "Bounds of mine"

claim half
  label Theorem 1
  title Softmax halves distances
  says forall n in {2, 3}, x, y in R^n: norm(softmax(x) - softmax(y)) <= 1/2*norm(x - y)

claim point
  label Remark 2
  title There is a point
  says exists x in R^3: norm(x, 1) > 1.7*norm(x)

claim root
  label Remark 3
  title There is a root
  says [of two] exists x in [0, 2]: x^2 = 2
  says [an order] exists x in R^2: x[1] > x[2]

claim largest
  label Remark 4
  title The mean of the largest of three
  says random g ~ normal(0, 1)^3: E[max(g)] <= 0.5
  near_hit [larger] random g ~ normal(0, 1)^3: E[max(g)] <= 0.9
  expected refuted
END
expect 0 'Every verdict is the one on record' "$attest" check 'my bound.attest' --budget quick --out run
grep -q 'Evidence files, for attest verify: 1 of 3 exact verdicts; not for' said || { cat said; fail 'the evidence files are not counted'; }
grep -q 'my-bound/root: of two: it rests on intermediate values' said || { cat said; fail 'why a part has no evidence file'; }
grep -q 'my-bound/largest: its expectations rest on samples' said || { cat said; fail 'why a claim has no evidence file'; }

# By id, label and glob from the record, and by the file without one.
expect 0 'evidence of the run stored in run/results.json' "$attest" explain my-bound/half --out run
expect 0 'Softmax halves distances' "$attest" explain 'Theorem 1' --out run
expect 0 'in the folder of the run, for attest verify' "$attest" explain my-bound/point --out run
expect 0 'Parts without an evidence file' "$attest" explain my-bound/root --out run
expect 0 "Not judged here: attest check 'my bound.attest' my-bound/half judges it" "$attest" explain 'my bound.attest' my-bound/half
[ "$(grep -c '^On record' said)" = 1 ] || fail 'an id beside the file does not choose'
[ "$("$attest" explain 'my-bound/*' --out run --json | grep -c '"verdict"')" -ge 4 ] || fail 'explain --json of the record'
expect 0 '4 statements; attest explain PAPER.attest ID' "$attest" list 'my bound.attest'
expect 0 'boosting/thm-3.2' "$attest" explain 'Theorem 3.2' --paper boosting --out run
expect 2 'Statements of your own are found' "$attest" explain my-bound/half
expect 0 '1 statement: 1 supported' "$attest" check 'my bound.attest' 'Theorem 1' --budget quick --out one

# LaTeX of one statement, from the record and from the file.
for source in --out=run 'my bound.attest'; do
  "$attest" explain my-bound/half "$source" --tex >one.tex
  [ "$(grep -c paragraph one.tex)" = 1 ] || fail "explain --tex $source"
  grep -qF softmax one.tex || fail "the formula of one statement, $source"
done

# What something exists by is replayed as a counterexample is; a witness of samples with the paper's file.
expect 0 'confirmed' "$attest" replay run/certificates/my-bound-point.json
expect 0 'part: an order' "$attest" replay run/certificates/my-bound-root.2.json
[ "$(ls run/witnesses)" = my-bound-largest.json ] || fail 'certificates are written as witnesses too'
grep -q 'attest replay run/certificates/my-bound-point.json' run/report*.html || fail 'the report does not say how to replay a point'
expect 2 'attest replay run/witnesses/my-bound-largest.json PAPER.attest' "$attest" replay run/witnesses/my-bound-largest.json
expect 0 'confirmed' "$attest" replay run/witnesses/my-bound-largest.json 'my bound.attest'
"$attest" try 'exists x in R^3: norm(x, 1) > 1.7*norm(x)' --budget quick --evidence point.json >/dev/null
expect 0 'confirmed' "$attest" replay point.json

# SARIF, as GitHub's code scanning takes it: each verdict that is not the expected one beside its statement.
sed -i 's/expected refuted/expected supported/; /near_hit/d' 'my bound.attest'
expect 1 'not on record' "$attest" check 'my bound.attest' --budget quick --out run --sarif run.sarif
python3 - <<'END' || fail 'run.sarif'
import json
run = json.load(open("run.sarif"))["runs"][0]
rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
assert rules and len(rules) == len(set(rules)), rules
lines = open("my bound.attest").read().split("\n")
for result in run["results"]:
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "my%20bound.attest", place
    assert lines[place["region"]["startLine"] - 1] == "claim largest", place
    assert rules[result["ruleIndex"]] == result["ruleId"] and result["message"]["text"]
END

# What is typed by mistake.
expect 2 'did you mean the file my bound.attest?' "$attest" check 'my bound'
expect 2 'a paper is read from a file PAPER.attest' "$attest" check -
expect 2 'the TeX source comes first' "$attest" drift 'my bound.attest' paper.tex
expect 2 'put the statement in quotes' "$attest" try forall x in R: x^2
echo "a paper of one's own: as it should be"
