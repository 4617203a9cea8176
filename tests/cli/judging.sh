# What the tests of attest judge share: to be sourced with ATTEST_PROGRAM and SOURCE_FOLDER as $1 and $2. Goes into a folder
# of its own and skips where NumPy is not installed.
attest=$1
headers=$2/simulations/judge
python=/usr/bin/python3
"$python" -c 'import numpy' 2>/dev/null || { echo "skipped: $python has no NumPy"; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
failures=0
complain() { printf '%s\n' "$*"; cat stdout stderr; failures=$((failures + 1)); }

# expect CODE WORD ARGUMENT...: exit status CODE, and WORD in what is printed.
expect() {
  local code=$1 word=$2; shift 2
  "$attest" judge "$@" --python "$python" >stdout 2>stderr; local got=$?
  if [ "$got" != "$code" ] || ! grep -qF -- "$word" stdout stderr; then
    complain "attest judge $*: exit $got (expected $code), expected in the output: $word"
  fi
}
# refuse WORD ARGUMENT...: exit status 2 and one line that holds WORD.
refuse() {
  local word=$1; shift
  "$attest" judge "$@" >stdout 2>stderr; local got=$?
  if [ "$got" != 2 ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -qF -- "$word" stderr; then
    complain "attest judge $*: exit $got (expected 2 and one line with $word)"
  fi
}
