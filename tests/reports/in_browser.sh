#!/usr/bin/env bash
# The report and its figures as a reader sees them, side by side: what a browser waits for has a time of its own, which
# other tests would stretch. Skips where one of them does and neither fails.
# Usage: in_browser.sh ATTEST_PROGRAM RESULTS.json
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
log=$(mktemp); trap 'rm -f "$log"' EXIT
/usr/bin/python3 "$here/figures/look_at_figures.py" "$@" >"$log" 2>&1 &
figures=$!
/usr/bin/python3 "$here/browser/look_at_report.py" "$@"; report=$?
wait "$figures"; figures=$?
cat "$log"
for code in "$report" "$figures"; do case $code in 0 | 77) ;; *) exit 1 ;; esac; done
[ "$report" = 0 ] && [ "$figures" = 0 ] || exit 77
