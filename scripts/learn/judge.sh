#!/usr/bin/env bash
# Judges a round of learning by its match: adds its row to the table of rounds, prints it, and
# updates best.weights if the new weights won.
#
#   scripts/learn/judge.sh DIR ROUND GAMES
set -euo pipefail

usage="usage: scripts/learn/judge.sh DIR ROUND GAMES"
dir=${1:?"$usage"} round=${2:?"$usage"} games=${3:?"$usage"}

# Results of the first engine as played, from the last line of a match.
results() {
  tail -1 "$1" |
    sed -n 's/.*"pairings":\[{[^{]*"wins":\([0-9]*\),"draws":\([0-9]*\),"losses":\([0-9]*\),.*/\1 \2 \3/p'
}

# Their Elo, 1000 or -1000 where one side has won every game.
elo_of() {
  awk '{
    share = ($1 + $2 / 2) / ($1 + $2 + $3)
    print share == 0 ? -1000 : share == 1 ? 1000 : int(400 * log(share / (1 - share)) / log(10))
  }'
}

read -r wins draws losses <<< "$(results "$dir/match-$round.json")"
elo=$(elo_of <<< "$wins $draws $losses")
positions=$(grep -o 'positions=[0-9]*' "$dir/sets-$round.txt" | tail -1 | cut -d= -f2)
loss=$(grep -o 'loss=[0-9.]*' "$dir/training-$round.txt" | tail -1 | cut -d= -f2)
if [ "$elo" -gt 0 ]; then
  cp "$dir/$round.weights" "$dir/best.weights"
fi
if [ ! -s "$dir/rounds.md" ]; then
  echo "| round | games | positions | loss | score | Elo |
| --- | --- | --- | --- | --- | --- |" > "$dir/rounds.md"
fi
echo "| $round | $games | $positions | $loss | +$wins =$draws -$losses | $elo |" | tee -a "$dir/rounds.md"
