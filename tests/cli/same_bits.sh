#!/usr/bin/env bash
# The same evidence, witnesses and verdicts on a second run, with 1 thread in place of 2, without the near-misses, and family
# by family: the second run is the README's commands `build/bin/check_FAMILY`, which together judge every statement once.
# Usage: same_bits.sh ATTEST_PROGRAM RUN README; RUN is the folder of a run of 2 threads (judged_ledger.sh)
set -euo pipefail
attest=$1 run=$2 readme=$3
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
grep -q '"threads": 2' "$run/results.json"
families=$(sed -n 's|^build/bin/\(check_[a-z_]*\) --budget quick$|\1|p' "$readme")
for family in $families; do
  "$(dirname "$attest")/$family" --budget quick --no-mutants --no-measure --threads 1 --out "$work/$family" >"$work/log" 2>&1 ||
    { tail -n 20 "$work/log"; echo "failed: $family"; exit 1; }
done
python3 - "$run" "$work" <<'END'
import json
import pathlib
import sys

# Times, thread counts and dates are all that may differ, and near-misses, which the first run alone judged and
# whose samples some claims count.
MAY_DIFFER = {"seconds", "started", "threads", "digest"}
OF_NEAR_MISSES = {"mutants", "near_hits", "smallest_change_caught", "changes_left_standing", "samples"}


def without(keys, value):
    if isinstance(value, dict):
        return {key: without(keys, entry) for key, entry in value.items() if key not in keys}
    return [without(keys, entry) for entry in value] if isinstance(value, list) else value


def claims_of(folder):
    for claim in json.loads((folder / "results.json").read_text())["claims"]:
        yield without(MAY_DIFFER | OF_NEAR_MISSES, claim)


run, work = map(pathlib.Path, sys.argv[1:])
first = {claim["id"]: claim for claim in claims_of(run)}
again = [claim for results in work.glob("*/results.json") for claim in claims_of(results.parent)]
assert len(first) > 100
assert sorted(claim["id"] for claim in again) == sorted(first), "the families are not the suite, each statement once"
different = [claim["id"] for claim in again if claim != first[claim["id"]]]
assert not different, f"other bits: {different}"
for witness in work.glob("check_*/witnesses/*.json"):
    first_witness = run / "witnesses" / witness.name
    assert without(MAY_DIFFER, json.loads(witness.read_text())) == without(MAY_DIFFER, json.loads(first_witness.read_text())), witness
END
