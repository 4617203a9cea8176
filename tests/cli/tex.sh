#!/usr/bin/env bash
# KaTeX, which typesets the report, understands every statement's formula. Usage: tex.sh ATTEST_PROGRAM
set -euo pipefail
attest=$1
katex=/usr/share/javascript/katex/katex.js
command -v node >/dev/null || { echo "skipped: node is not installed"; exit 77; }
[ -f "$katex" ] || { echo "skipped: KaTeX (libjs-katex) is not installed"; exit 77; }
"$attest" list --json | node -e '
const katex = require(process.argv[1]);
const statements = JSON.parse(require("fs").readFileSync(0));
let faults = 0;
for (const { id, statement } of statements) {
  try { katex.renderToString(statement, { throwOnError: true, strict: "error" }); }
  catch (fault) { faults += 1; console.log(id + ": " + fault.message); }
}
console.log(statements.length + " formulas, " + faults + " faults");
process.exit(faults > 0 || statements.length === 0 ? 1 : 0);
' "$katex"
