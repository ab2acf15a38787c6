#!/usr/bin/env bash
# Plays Manoury against a field of other programs' engines, each twice: with Manoury's built-in
# bitbases and without.
#
#   scripts/field.sh FIELD DIR [OPTION ..]
#
# FIELD names an engine per line: the game, a blank, and the engine as for `manoury match --engine`.
# Empty lines and lines that begin with # are skipped. For example:
#
#   english ./hub 18,name=Rival,dir=/opt/rival
#
# DIR receives the logs and field.md, a table of the results: as played, and by bitbases, where a
# game counts as the bitbases know the first of its positions that they contain. After an
# interruption, run it again to resume. Options are passed on to `manoury match`; by default a match
# is 158 games from ballots at 0.1 s a move, which needs an idle machine. MANOURY is the program.
set -euo pipefail

usage="usage: scripts/field.sh FIELD DIR [OPTION ..]"
field=${1:?"$usage"}
dir=${2:?"$usage"}
shift 2
manoury=${MANOURY:-target/release/manoury}
options=("$@")
[ $# -gt 0 ] || options=(--games 158 --openings ballots --move-time 0.1 --time-margin 0.3)
mkdir -p "$dir"

# The row of a match, from its summary: the results as played and by bitbases.
row() { # SUMMARY GAME ENGINE BITBASES
  python3 - "$@" <<'PY'
import json, sys

summary, game, engine, bitbases = sys.argv[1:]
with open(summary) as lines:
    pairing = json.loads(lines.readlines()[-1])["pairings"][0]

def results(of):
    elo = of["elo"]
    numbers = ["-" if elo[key] is None else f"{elo[key]:.0f}" for key in ("value", "low", "high")]
    return f"+{of['wins']} ={of['draws']} -{of['losses']}, {numbers[0]} [{numbers[1]}, {numbers[2]}]"

print(f"| {game} | {engine} | {bitbases} | {results(pairing)} | {results(pairing['by_bitbases'])} |")
PY
}

echo "| game | against | bitbases | as played, Elo | by bitbases, Elo |
| --- | --- | --- | --- | --- |" > "$dir/field.md"
number=0
while read -r game engine <&3; do
  number=$((number + 1))
  for bitbases in without with; do
    size=
    [ "$bitbases" = with ] || size=,param.bb-size=0
    summary=$dir/$number-$bitbases.json
    # Exit code 1: games were lost by faults, which the summary counts.
    "$manoury" match --variant "$game" "${options[@]}" --json --log "$dir/$number-$bitbases.log" \
      --engine "$manoury hub,name=Manoury,param.book=false,param.threads=1$size" --engine "$engine" \
      > "$summary" || [ $? = 1 ]
    row "$summary" "$game" "$(grep -o 'name=[^,]*' <<< "$engine" | cut -d= -f2)" "$bitbases" | tee -a "$dir/field.md"
  done
done 3< <(grep -v -e '^ *#' -e '^ *$' "$field")
