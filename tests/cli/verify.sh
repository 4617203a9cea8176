#!/usr/bin/env bash
# attest try --evidence and attest verify: from a typed statement to a file that the independent checker verifies.
#   verify.sh ATTEST SOURCES
set -euo pipefail
attest=$1 sources=$2
python3 -c 'import mpmath' 2> /dev/null || /usr/bin/python3 -c 'import mpmath' 2> /dev/null || {
  echo "skipped: mpmath is not installed (python3-mpmath)"
  exit 77
}
source "$(dirname "$0")/expect.sh"
# evidence NAME CODE METHOD STATEMENT: the verdict's exit code, and the file's method.
evidence() {
  expect "$2" "evidence    evidence/$1.json" "$attest" try "$4" --budget quick --evidence "evidence/$1.json"
  grep -qF "\"method\": \"$3\"" "evidence/$1.json" || fail "$1 is not by $3"
}

evidence gelu 1 point 'forall x, y in R: abs(gelu(x) - gelu(y)) <= abs(x - y)'
evidence norms 1 point 'forall n in 2..8, p in {1, 3/2, inf}, x, y in R^n: norm(softmax(x) - softmax(y), p) <= 0.4*norm(x - y, p)'
evidence moved 1 point 'forall x in (0, 1]: x - 1/3 >= 0'
evidence condition 1 point 'forall x, y in [0, 2]: x <= y where x^2 <= y'
evidence stochastic 1 point 'forall n in 2..4, A in stochastic(n, n): opnorm(A) <= 1'
evidence recursion 1 point \
  'forall a in [0, 1], n in 1..9: K(n) <= a^n where K(0) = 1, K(l+1) = a*K(l) + 1/8'
evidence some 0 point 'exists x in R^3: norm(x, 1) > 1.7*norm(x)'
evidence cases 0 enumeration 'forall n in 1..20, p in {1/3, 2}: n^p <= n^2'
evidence boxes 0 boxes 'forall x in [0, 1/3], y in [0, 1]: x*(1 - x)*y <= 0.3'
evidence identity 0 algebra 'forall n in 1..4, u, v in R^n: norm(u + v)^2 = norm(u)^2 + norm(v)^2 + 2*dot(u, v)'
evidence nothing 1 enumeration 'exists n in 1..300: n^2 = 2*(n + 1)^2 + 1'
evidence nowhere 1 boxes 'exists x in [0, 1]^2: x[1]*x[2] > x[1] + 0.01'
evidence best 0 constant 'best C in [0, 10]: forall x in [0, 1]: x*(1 - x) <= C'
evidence none 1 constant 'best C in [0, 0.2]: forall x in [0, 1]: x*(1 - x) <= C'
evidence apart 1 limit 'limit n -> inf: n/(n + 1) = 0.99'
evidence growth 1 limit 'let a = 3/4: limit n -> inf: 2 - a^n = O(a^n)'
evidence signs 1 point 'forall a in [0, 1]: random s ~ rademacher()^2: E[(a*s[1] + s[2])^2] <= 1'
evidence tail 1 point 'forall c in [1, 3]: random g ~ normal(0, 1): P[abs(g) > c] <= 0.1'
# Conditions that are read as sets, equations that numbers of few bits meet, sides that are one double, many cases.
evidence sphere 1 point 'forall n in 2..4, x in R^n where norm(x) = 1: norm(x, 1) <= 0.9*sqrt(n)'
evidence circle 0 algebra 'forall x in R^2 where norm(x) = 1: x[1]^2 + x[2]^2 = 1'
evidence direction 0 point 'exists x in R^3 where norm(x) = 1: norm(x, 1) >= 1.7'
evidence weights 1 point 'forall p in [0, 1]^2 where sum(p) = 1: p[1]*p[2] <= 0.24'
evidence centred 1 point 'forall n in 2..6, x in R^n where sum(x) = 0: norm(x, inf) <= 0.8*norm(x)'
evidence third 1 point '1/3 = 0.3333333333333333'
evidence many 0 enumeration 'forall n in 1..5000: abs(sin(n)) >= 1/(100*n)'
expect 0 'evidence/stochastic.json: verified' "$attest" verify evidence
[ "$(grep -c ': verified$' said)" -eq 25 ] || { cat said; fail "not all twenty-five are verified"; }
# The checker alone says the same, and a folder above finds them.
python=python3
python3 -c 'import mpmath' 2> /dev/null || python=/usr/bin/python3
expect 0 'evidence/boxes.json: verified' "$python" "$sources/theorems/evidence/check_evidence.py" evidence/*.json
expect 0 'verified' "$attest" verify .

# What is not exact has no file, and says so; JSON names the file.
expect 0 'evidence    none: the verdict is not exact' \
  "$attest" try 'forall n in 2..64, x in R^n: max(softmax(x)) <= 1' --budget quick --evidence none.json
[ ! -e none.json ] || fail "a file for a verdict that is not exact"
expect 1 '"evidence_file": "evidence/gelu.json"' \
  "$attest" try 'forall x, y in R: abs(gelu(x) - gelu(y)) <= abs(x - y)' --budget quick --json --evidence evidence/gelu.json

# A limit whose sides part too slowly for the checker has none.
expect 1 'evidence    none: the ratio of the sides grows more slowly than a power' \
  "$attest" try 'limit n -> inf: log(n) = O(1)' --budget quick --evidence none.json

# A changed file, a cut one, none.
sed 's|0.3"|0.2"|' evidence/boxes.json > changed.json
expect 1 'changed.json: not verified: the SHA-256 is not that of the statement' "$attest" verify changed.json
head -c 200 evidence/gelu.json > cut.json
expect 2 'cut.json: not an evidence file: it is not valid JSON' "$attest" verify cut.json
# Below a folder of any name, whatever else lies there.
mkdir -p mine/deep && cp evidence/boxes.json mine/deep/b.json && echo '{"schema": "mine"}' > mine/other.json
expect 0 'mine/deep/b.json: verified' "$attest" verify mine
if grep -q 'other' said; then cat said; fail "a file of another program is counted"; fi
mkdir empty
expect 2 'no evidence files in empty' "$attest" verify empty
expect 2 "'missing.json' is not there" "$attest" verify missing.json
echo "evidence from try to the checker"
