#!/usr/bin/env bash
# Learns to play a game from scratch, in rounds: games of the engine against itself, data sets,
# training, and a match of the new weights against those that played the games. The first round
# plays with the hand-crafted weights. Each further round plays with the best weights so far and
# twice as many games, and learns from the games of the last two rounds. It ends when a round gains
# less than 10 Elo, or when the time is up: run it again to resume.
#
#   scripts/learn.sh VARIANT DIR [--hours H] [--rounds N] [--from FILE]
#
# DIR receives the games, the sets, the weights of each round, best.weights, and rounds.md, the
# table of rounds. --from plays the first round with existing weights.
#
# Settings come from the environment: GAMES (of the first round), NODES, RANDOM_PLIES, OPENING_SCORE,
# LATE_PERCENT, LAMBDA_PERCENT, RESULT_SHARE, FINE_TUNE, EPOCHS, LEARNING_RATE, MATCH_GAMES,
# MATCH_NODES, MIN_GAIN (the gain in Elo required for another round), THREADS and BITBASES (a folder);
# scripts/README.md explains them. MANOURY is the program.
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
learn=$(dirname "$0")/learn
. "$learn/steps.sh"
min_gain=${MIN_GAIN:-${LEAST:-10}}
threads=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
games=${GAMES:-10000}
mkdir -p "$dir"
end=$(awk -v now="$(date +%s)" -v hours="$hours" 'BEGIN { print int(now + 3600 * hours) }')

# Runs the program until the time is up, and copies its output to a file.
run() {
  local output=$1 left=$((end - $(date +%s))) code=0
  shift
  if [ "$hours" = 0 ]; then
    "$manoury" "$@" | tee "$output"
    return
  fi
  if [ "$left" -gt 0 ]; then
    timeout --signal=INT "$left" "$manoury" "$@" | tee "$output" || code=$?
  fi
  if [ "$left" -le 0 ] || [ "$code" = 124 ]; then
    echo "the time is up; run the same command again to resume" >&2
    exit 1
  fi
  return "$code"
}

rm -f "$dir/rounds.md"
folders=()
for round in $(seq "$rounds"); do
  echo "== round $round: games"
  play_games "$dir/games-$round" "$round" "$games" "$threads"
  folders=(${folders[@]+"${folders[@]: -1}"} "$dir/games-$round")
  echo "== round $round: sets"
  make_sets "$threads" "${folders[@]}" > /dev/null
  echo "== round $round: training"
  train "$threads"
  echo "== round $round: match against the teacher"
  play_match "$dir/match-$round.json" --concurrency "$threads" --log "$dir/match-$round.log" > /dev/null
  "$learn/judge.sh" "$dir" "$round" "$games"
  elo=$(tail -1 "$dir/rounds.md" | cut -d '|' -f 7)
  if [ "$elo" -gt 0 ]; then
    teacher=$dir/$round.weights
  fi
  if [ "$elo" -lt "$min_gain" ]; then
    echo "round $round gained less than $min_gain Elo and is the last: the best weights are $teacher"
    break
  fi
  games=$((games * 2))
done
