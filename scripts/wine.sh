#!/usr/bin/env bash
# Tries a program built for Windows under Wine, in a separate folder: the bench of all games, a Hub
# session, a match between two of its processes, bitbases, the page, Ctrl-C. Prints a line for each.
#
#   scripts/wine.sh PROGRAM.exe
#
# Needs Wine and the C compiler of mingw-w64 (Debian: wine wine64 gcc-mingw-w64-x86-64), curl, and
# script (util-linux).
set -euo pipefail
program=$(realpath "${1:?the program}")
cd "$(dirname "$0")/.."
repository=$PWD

work=$(mktemp -d)
trap 'WINEPREFIX=$work/wine wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES=mscoree=
# The path of the program has a space and a letter outside ASCII.
folder="$work/Dämmen und Damen"
mkdir -p "$folder"
cp "$program" "$folder/manoury.exe"
cd "$folder"
x86_64-w64-mingw32-gcc -shared -O1 -o bcryptprimitives.dll \
  "$repository/tests/windows/bcryptprimitives.c" -ladvapi32
wineboot --init >/dev/null 2>&1

manoury() { wine ./manoury.exe "$@" 2>errors.txt | tr -d '\r'; }

expect() { # NAME FOUND EXPECTED
  if [ "$2" != "$3" ]; then
    echo "$1: $2, where $3 should be" >&2
    cat errors.txt >&2
    exit 1
  fi
  echo "$1: $3"
}

# Runs a command in a console, and presses Ctrl-C after some seconds.
interrupted() { # SECONDS COMMAND
  (sleep "$1"; printf '\003'; sleep 3) | script -qec "wine ./manoury.exe $2" /dev/null >console.txt || true
}

# The processes that this script has started: those of its Wine folder.
own_processes() {
  local id
  for id in $(pgrep -f '^[^ ]*manoury[.]exe' || true); do
    if grep -qzxF "WINEPREFIX=$WINEPREFIX" "/proc/$id/environ" 2>/dev/null; then echo "$id"; fi
  done
}

none_left() {
  sleep 1
  expect "$1, processes left" "$(own_processes | wc -l)" 0
}

while read -r game depth nodes; do
  expect "bench, $game" "$(manoury bench --variant "$game" --depth "$depth" | tail -1 | cut -d' ' -f1)" "nodes=$nodes"
done <"$repository/tests/data/bench_nodes.txt"
expect "perft" "$(manoury perft --depth 7 | cut -d' ' -f1)" nodes=1049442

answers=$( (printf 'hub\r\ninit\r\npos start\r\nlevel depth=12\r\ngo analyze\r\n'; sleep 3; printf 'quit\r\n') |
  manoury hub | cut -d' ' -f1 | sort -u | tr '\n' ' ')
expect "Hub session" "$answers" "done id info param ready wait "

expect "lines of an analysis" "$(manoury analyze --depth 8 --multipv 4 --json | grep -o '"rank"' | wc -l)" 4
manoury match --games 20 --nodes 1000 --concurrency 2 --pdn games.pdn \
  --engine "manoury.exe,name=one,param.tt-size=16" --engine "manoury.exe,name=two,param.book=false" >match.txt
expect "match" "$(head -1 match.txt)" "20 of 20 games, international"
expect "games in PDN" "$(manoury pdn count games.pdn --json | grep -o '"games":[0-9]*' | head -1)" '"games":20'
none_left "match"

expect "bitbases" "$(manoury bitbase generate --pieces 3 --bitbases bitbases | cut -d' ' -f1,2)" \
  "slices=16 positions=815145"
manoury bitbase verify --bitbases bitbases >verified.txt
expect "probe" "$(manoury bitbase probe --fen W:WK28:BK5 | head -1)" "win in 3 plies, before a draw by the rules"

wine ./manoury.exe serve --port 0 --token secret >serve.txt 2>errors.txt &
for _ in $(seq 50); do [ -s serve.txt ] && break; sleep 0.1; done
address=$(tr -d '\r' <serve.txt)
expect "page" "$(curl -s "$address" | grep -c '<title>Manoury</title>')" 1
socket() { # TOKEN
  curl -s -o /dev/null -w '%{http_code}' --max-time 1 -H 'Connection: Upgrade' -H 'Upgrade: websocket' \
    -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==' \
    "${address%%\?*}engine?token=$1" || true
}
expect "engine of the page" "$(socket secret)" 101
expect "engine without the token" "$(socket other)" 403
kill $(own_processes)
none_left "page"

interrupted 4 "selfplay --out games --games 100000 --nodes 50"
expect "Ctrl-C" "$(grep -c 'interrupted; the same command resumes' console.txt)" 1
interrupted 4 "match --games 1000 --nodes 2000 --engine manoury.exe,name=one --engine manoury.exe,name=two"
none_left "interrupted match"
echo "all checks passed"
