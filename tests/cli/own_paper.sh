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
grep -q 'my-bound/root (of two): it rests on intermediate values' said || { cat said; fail 'why a part has no evidence file'; }
grep -q 'my-bound/largest: its expectations rest on samples' said || { cat said; fail 'why a claim has no evidence file'; }

# By id, label and glob from the record, and by the file without one.
expect 0 'evidence of the run stored in run/results.json' "$attest" explain my-bound/half --out run
expect 0 'Softmax halves distances' "$attest" explain 'Theorem 1' --out run
expect 0 'in the folder of the run, for attest verify' "$attest" explain my-bound/point --out run
# By the name that the paper's file writes after 'claim', and nothing of another paper with it.
expect 0 'Softmax halves distances' "$attest" explain half --out run
expect 0 '1 statement: 1 supported' "$attest" check 'my bound.attest' half --budget quick --out one
expect 0 '"id": "my-bound/half"' "$attest" list 'my bound.attest' half --json
expect 0 'no statement fits; leave out a filter or a word' "$attest" list --grep no-such-word-anywhere
expect 2 'is a folder: name a paper' "$attest" check run
expect 0 'Parts without an evidence file' "$attest" explain my-bound/root --out run
expect 0 "Not judged here: attest check 'my bound.attest' my-bound/half judges it" "$attest" explain 'my bound.attest' my-bound/half
[ "$(grep -c '^On record' said)" = 1 ] || fail 'an id beside the file does not choose'
[ "$("$attest" explain 'my-bound/*' --out run --json | grep -c '"verdict"')" -ge 4 ] || fail 'explain --json of the record'
expect 0 '4 statements; attest explain PAPER.attest ID' "$attest" list 'my bound.attest'
expect 0 'boosting/thm-3.2' "$attest" explain 'Theorem 3.2' --paper boosting --out run
expect 0 '4 statements' "$attest" check 'my bound.attest' my-bound --budget quick --out named
expect 2 'statements of your own are found' "$attest" explain my-bound/half
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
grep -qx '  g is drawn from its law' said || { cat said; fail 'a random variable is shown as a number'; }
if grep -q 'g =' said; then cat said; fail 'a random variable is shown as a number too'; fi
expect 0 'drawn from its law' "$attest" explain my-bound/largest --out run
printed=$(sed -n "s#^ *./attest replay#'$attest' replay#p" said)
expect 0 'confirmed' bash -c "$printed"
grep -q "attest replay run/witnesses/my-bound-largest.json &#39;my bound.attest&#39;" run/report-errata.html || fail 'the replay command lacks the paper'
grep -q 'drawn from its law' run/report-paper-my-bound.html || fail 'the page does not say that a variable is drawn'
if grep -q '<li>g = ' run/report-errata.html; then fail 'the erratum shows a random variable as a number'; fi
expect 0 "report" "$attest" report run
grep -q "attest replay run/witnesses/my-bound-largest.json &#39;my bound.attest&#39;" run/report-errata.html || fail 'the replay command of the report made again lacks the paper'

# Claims of the file beside it, for proof assistants and to be drawn again.
cat >mine.attest <<'END'
paper "Mine"
claim bump
  label Lemma 1
  says forall x in [0, 1]: x*(1 - x) <= 0.26
claim hump
  says forall x in [0, 1]: x*(1 - x) <= 0.27
END
expect 0 'proofs/mine_bump.v: 1 theorem' "$attest" export --coq mine.attest mine/bump --out proofs
[ "$(ls proofs)" = mine_bump.v ] || { ls proofs; fail 'an id beside the file does not choose what is exported'; }
expect 0 'mine_bump.lean' "$attest" export --lean mine.attest 'Lemma 1' --out proofs
expect 0 'mine_bump.v: 1 theorem' "$attest" export --coq mine.attest bump --out named
expect 0 'mine_hump.v' "$attest" export --coq mine.attest --out proofs
expect 2 "'mine/lump' is neither" "$attest" export --coq mine.attest mine/lump --out proofs
expect 2 'is a folder' "$attest" export --coq proofs
expect 2 'yours.attest is not there' "$attest" export --coq yours.attest
expect 0 'overlap' "$attest" repeat 'my bound.attest' my-bound/largest --budget quick
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
expect 0 'mine/bump' "$attest" check mine.attest ./mine.attest mine/bump --budget quick --out twice
expect 2 'inputs takes at most 2, and 3 are given' "$attest" compare run run run
printf 'paper "T"\n\nclaim a\n  says forall x in R: x^2 >= 0\n  finding constant\n' >found.attest
expect 2 "found.attest, line 3: statement 'found/a' has a finding" "$attest" check found.attest --out found
expect 2 'nope.attest' "$attest" replay run/certificates/my-bound-point.json nope.attest
# A record after a change shows where a long text differs.
sed -i 's/0.27/0.37/' mine.attest
expect 0 'mine/hump' "$attest" check mine.attest --budget quick --out thrice
sed -i 's/0.37/0.47/' mine.attest
expect 0 '0.47' "$attest" check mine.attest --budget quick --out again --since thrice
grep -q '^mine/hump  statement  ….*0.37.*….*0.47' said || { cat said; fail 'the difference of two texts is not seen'; }
expect 2 'did you mean largest?' "$attest" check 'my bound.attest' largst
expect 2 'did you mean the file my bound.attest?' "$attest" check 'my bound'
expect 2 'did you mean the file my bound.attest?' "$attest" check 'my bound.attst'
expect 2 'did you mean my bound.attest?' "$attest" check 'my boud.attest'
expect 2 'a paper is read from a file PAPER.attest' "$attest" check -
expect 2 'the TeX source comes first' "$attest" drift 'my bound.attest' paper.tex
expect 2 'put the statement in quotes' "$attest" try forall x in R: x^2
echo "a paper of one's own: as it should be"
