#!/usr/bin/env bash
# attest data fetch against a server on this machine: whole, interrupted and resumed, changed in between, wrong, absent.
# Usage: fetch.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
command -v python3 >/dev/null || { echo 'skipped: python3 is not installed'; exit 77; }
work=$(mktemp -d); server=
trap 'kill "$server" 2>/dev/null; chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir served
python3 "$here/data_server.py" served port & server=$!
for _ in $(seq 100); do [ -f port ] && break; sleep 0.1; done
[ -f port ] || { echo 'the server did not start'; exit 1; }
base=http://127.0.0.1:$(cat port)
export no_proxy=127.0.0.1
unset ATTEST_DATA
failures=0
fail() { printf '%s\n' "$*"; cat stdout stderr 2>/dev/null; failures=$((failures + 1)); }
# fetch CODE WORD NAME MANNER: exit status and a word of what is printed.
fetch() {
  "$attest" data fetch "$3" --data-dir data --mirror "$base$4" >stdout 2>stderr; local got=$?
  if [ "$got" != "$1" ] || ! grep -qF -- "$2" stdout stderr; then fail "fetch $3 from $4: exit $got (expected $1, \"$2\")"; fi
}
two_million=$'2\xe2\x80\xaf000\xe2\x80\xaf000'   # grouped by thin spaces
file=data/Libras/Libras.zip   # a set whose sha256 is not known
head -c 3000000 /dev/urandom >served/Libras.zip

fetch 3 'cannot be fetched' Libras /cut
[ -e $file ] && fail 'a broken file was taken for whole'
[ "$(stat -c %s $file.part)" = 1500000 ] || fail 'what came was not kept'
fetch 0 'resumed at byte 1500000' Libras ''
cmp -s served/Libras.zip $file || fail 'the resumed file differs'
[ -e $file.part ] || [ -e $file.part.etag ] && fail 'leftovers'
grep -qF "/Libras.zip bytes=1500000- 206" requests.log || fail 'no range was asked for'
grep -qF "$(sha256sum <$file | cut -d' ' -f1)" stdout || fail 'the sha256 was not printed'
grep -qF 'unzip -q' stdout || fail 'how to unpack was not said'
fetch 0 'was there' Libras ''

rm -r data; fetch 3 'cannot be fetched' Libras /cut
head -c 2000000 /dev/urandom >served/Libras.zip          # another file since
fetch 0 "$two_million bytes" Libras ''
cmp -s served/Libras.zip $file || fail 'two files were mixed'

rm -r data; fetch 3 'cannot be fetched' Libras /cut
fetch 0 "$two_million bytes" Libras /plain                    # a server without ranges
cmp -s served/Libras.zip $file || fail 'the file of a server without ranges differs'

rm -r data; fetch 0 "$two_million bytes" Libras /moved
fetch 3 'Epilepsy.zip' Epilepsy ''                       # not served
[ -e data/Epilepsy/Epilepsy.zip ] && fail 'an error page was taken for the file'

head -c 1000 /dev/urandom >served/input.txt              # its sha256 is known and another
fetch 3 'where 86c4e6aa9db7' tinyshakespeare ''
ls data/tinyshakespeare/* >/dev/null 2>&1 && fail 'wrong bytes were left'

fetch 2 'no-such-set' no-such-set ''
fetch 2 'no address' imdb-sample ''
HOME=$work/home XDG_DATA_HOME='' "$attest" data fetch Libras --mirror "$base" >stdout 2>stderr || fail 'without a folder it goes home'
[ -s home/.local/share/attest/Libras/Libras.zip ] || fail 'the file at home'
touch home/.local/share/attest/Libras/Libras_TEST.ts
HOME=$work/home XDG_DATA_HOME='' "$attest" data list | grep '^Libras .*(there)' >/dev/null || fail 'what is at home is not found'
"$attest" data list | grep '(missing: attest data fetch Libras)' >/dev/null || fail 'the list does not say how to fetch'
HOME='' XDG_DATA_HOME='' "$attest" data fetch Libras --mirror "$base" >stdout 2>stderr; [ $? = 2 ] && grep -qF -- '--data-dir' stderr || fail 'no folder'
"$attest" data describe listops >stdout 2>stderr; [ $? = 2 ] && grep -qF 'take listops-generated meanwhile' stderr || fail 'the stand-in is not named'
rm -rf data; "$attest" data fetch Libras --data-dir data --mirror "file://$work/served" >stdout 2>stderr && fail 'a file address was followed'
touch plain; "$attest" data fetch Libras --data-dir plain --mirror "$base" >stdout 2>stderr; [ $? = 3 ] && grep -qF 'plain' stderr || fail 'no place to write'
[ "$failures" = 0 ] || { printf '%d failures\n' "$failures"; exit 1; }
