#!/usr/bin/env bash
# Learns to play a game from nothing, in rounds: games of the engine against itself, data sets,
# training, and a match of the new weights against those that played the games. The first round
# plays with the hand-chosen weights. Each further round plays with the best weights so far and
# twice as many games, and learns from the games of the last two rounds. It ends when a round gains
# less than 10 Elo, or when the time is over: run it again to go on.
#
#   scripts/learn.sh VARIANT DIR [--hours H] [--rounds N] [--from FILE]
#
# DIR gets the games, the sets, the weights of each round, best.weights, and rounds.md, the table of
# rounds. --from plays the first round with weights that are there already.
#
# Settings come from the environment: GAMES (of the first round), NODES, EPOCHS, MATCH_GAMES,
# MATCH_NODES, LEAST (the Elo to go on with) and THREADS; scripts/README.md explains them. MANOURY
# is the program.
set -euo pipefail

usage="usage: scripts/learn.sh VARIANT DIR [--hours H] [--rounds N] [--from FILE]"
variant=${1:?"$usage"}
dir=${2:?"$usage"}
shift 2
hours=0 rounds=20 teacher=hand
while [ $# -gt 0 ]; do
  case $1 in
    --hours) hours=${2:?"$usage"} ;;
    --rounds) rounds=${2:?"$usage"} ;;
    --from) teacher=${2:?"$usage"} ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
manoury=${MANOURY:-target/release/manoury}
threads=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
games=${GAMES:-10000}
mkdir -p "$dir"
end=$(awk -v now="$(date +%s)" -v hours="$hours" 'BEGIN { print int(now + 3600 * hours) }')

# Does a step, as long as there is time.
step() {
  if [ "$hours" = 0 ]; then
    "$manoury" "$@"
    return
  fi
  local left=$((end - $(date +%s))) code=0
  if [ "$left" -gt 0 ]; then
    timeout --signal=INT "$left" "$manoury" "$@" || code=$?
  fi
  if [ "$left" -le 0 ] || [ "$code" = 124 ]; then
    echo "the time is over; the same command goes on from here" >&2
    exit 1
  fi
  return "$code"
}

# Results of the first engine, from the last line of a match.
results() {
  tail -1 "$1" | grep -o '"pairings":.*' | grep -o '"wins":[0-9]*,"draws":[0-9]*,"losses":[0-9]*' |
    tr -dc '0-9,' | tr ',' ' '
}

# Their Elo, 1000 or -1000 where one side has won every game.
elo_of() {
  awk '{
    share = ($1 + $2 / 2) / ($1 + $2 + $3)
    print share == 0 ? -1000 : share == 1 ? 1000 : int(400 * log(share / (1 - share)) / log(10))
  }'
}

echo "| round | games | positions | loss | score | Elo |
| --- | --- | --- | --- | --- | --- |" > "$dir/rounds.md"
folders=()
for round in $(seq "$rounds"); do
  echo "== round $round: games"
  step selfplay --variant "$variant" --out "$dir/games-$round" --games "$games" \
    --nodes "${NODES:-125}" --seed "$round" --threads "$threads" --weights "$teacher"
  folders=(${folders[@]+"${folders[@]: -1}"} "$dir/games-$round")
  if [ ! -d "$dir/sets-$round" ]; then
    echo "== round $round: sets"
    "$manoury" data "${folders[@]}" --variant "$variant" --out "$dir/sets-$round" > "$dir/sets-$round.txt"
  fi
  if [ ! -f "$dir/$round.weights" ]; then
    echo "== round $round: training"
    step train --variant "$variant" --data "$dir/sets-$round" --out "$dir/$round.weights" \
      --epochs "${EPOCHS:-8}" --threads "$threads" | tee "$dir/training-$round.txt"
  fi
  echo "== round $round: match against the teacher"
  step match --variant "$variant" --games "${MATCH_GAMES:-400}" --nodes "${MATCH_NODES:-3000}" \
    --concurrency "$threads" --log "$dir/match-$round.log" --json \
    --engine "$manoury hub,name=learned,param.tt-size=16,param.book=false,param.weights=$dir/$round.weights" \
    --engine "$manoury hub,name=teacher,param.tt-size=16,param.book=false,param.weights=$teacher" \
    > "$dir/match-$round.json"
  read -r wins draws losses <<< "$(results "$dir/match-$round.json")"
  elo=$(elo_of <<< "$wins $draws $losses")
  positions=$(grep -o 'positions=[0-9]*' "$dir/sets-$round.txt" | tail -1 | cut -d= -f2)
  loss=$(grep -o 'loss=[0-9.]*' "$dir/training-$round.txt" | tail -1 | cut -d= -f2)
  echo "| $round | $games | $positions | $loss | +$wins =$draws -$losses | $elo |" | tee -a "$dir/rounds.md"
  if awk -v elo="$elo" 'BEGIN { exit !(elo > 0) }'; then
    teacher=$dir/$round.weights
    cp "$teacher" "$dir/best.weights"
  fi
  if awk -v elo="$elo" -v least="${LEAST:-10}" 'BEGIN { exit !(elo < least) }'; then
    echo "round $round gained less than ${LEAST:-10} Elo and is the last: the best weights are $teacher"
    break
  fi
  games=$((games * 2))
done
