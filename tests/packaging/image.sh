#!/usr/bin/env bash
# The image of packaging/oci/Containerfile: made with buildah from the package of a build, without and with what reports need, then
# used as its first lines say. Not part of the suite: it needs root, buildah and the network. Where debian:12-slim cannot be
# pulled, debootstrap (once in it, kept in BASE_FOLDER) makes a Debian 12 of that name from the sources of this machine.
# Usage: image.sh BUILD_FOLDER [BASE_FOLDER]
set -uo pipefail
build=$(realpath "$1")
base=$(realpath -m "${2:-${TMPDIR:-/tmp}/attest-image-base}")
recipe=$(realpath "$(dirname "$0")/../../packaging/oci/Containerfile")
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs
work=$(mktemp -d)
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }
containers=()
trap 'buildah rm "${containers[@]}" >/dev/null 2>&1; rm -rf "$work"' EXIT

if ! buildah inspect --type image debian:12-slim >/dev/null 2>&1 && ! buildah pull -q docker.io/library/debian:12-slim >/dev/null 2>&1; then
  sources=(/etc/apt/sources.list.d/*.sources)
  if [ ! -d "$base/usr" ]; then
    rm -rf "$base.part"  # of a run that was interrupted
    debootstrap --variant=minbase --include=ca-certificates bookworm "$base.part" "$(awk '/^URIs:/{print $2; exit}' "${sources[0]}")" >"$work/log" 2>&1 ||
      { tail -n 5 "$work/log"; exit 1; }
    cp "${sources[@]}" "$base.part/etc/apt/sources.list.d/" && : >"$base.part/etc/apt/sources.list" && mv "$base.part" "$base" || exit 1
  fi
  bare=$(buildah from scratch) && containers+=("$bare") && buildah add -q "$bare" "$base" / >/dev/null &&
    buildah commit -q "$bare" docker.io/library/debian:12-slim >/dev/null || exit 1
fi

cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/packages" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
mkdir "$work/folder" && cp "$work"/packages/attest_*.deb "$work/folder"
for report in no yes; do
  buildah build -q --build-arg "REPORT=$report" -t "attest-report-$report" -f "$recipe" "$work/folder" >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log"; exit 1; }
done

# run IMAGE ARGUMENTS...: as `podman run --rm -v "$PWD:/work" IMAGE ARGUMENTS...`, whose entry point is the program.
run() {
  local container
  container=$(buildah from --pull-never "localhost/$1")
  containers+=("$container")
  buildah run -v "$PWD:/work" "$container" -- "$(buildah inspect --type image --format '{{index .OCIv1.Config.Entrypoint 0}}' "localhost/$1")" "${@:2}"
}
mkdir "$work/user" && cd "$work/user" || exit 1
begun=$(date +%s%N)
verdict=$(run attest-report-no try 'forall x in R: x^2 >= 0') || fail "the first verdict: $verdict"
took=$((($(date +%s%N) - begun) / 1000000))
[[ $verdict == *'verdict     certified'* ]] || fail "the first verdict: $verdict"
run attest-report-no try 'forall x in R: x^2 >= 1' >/dev/null 2>&1 && fail 'a false statement ends with 0'
run attest-report-no check --paper twicing --budget quick >log 2>&1 || { tail -n 3 log; fail 'a check of one paper'; }
[ -s out/results.json ] || fail "the check left nothing in the user's folder: $(ls)"
run attest-report-yes report >log 2>&1 || { tail -n 3 log; fail 'the report'; }
[ -s out/report.html ] || fail "no report in the user's folder"
[ "$failures" -eq 0 ] && echo "both images serve; the first verdict took $took ms with the start of the container"
[ "$failures" -eq 0 ]
