# What scripts about one command after another share, sourced: they work in a scratch directory and end at the first failure.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() { echo "FAILED: $1"; exit 1; }
# expect CODE WORDS COMMAND...: the exit code, and words that the output holds on one line.
expect() {
  local code=$1 words=$2 got=0
  shift 2
  "$@" > said 2>&1 || got=$?
  [ "$got" -eq "$code" ] || { cat said; fail "exit $got instead of $code: $*"; }
  grep -qF -- "$words" said || { cat said; fail "does not say '$words': $*"; }
}
