#!/usr/bin/env bash
# Makes an evaluation from nothing: games of the engine against itself, data sets, training, and a
# match of the new weights against those that played the games. The first round plays with the
# hand-chosen weights. Each further round plays with the weights of the previous round and twice as
# many games, and learns from the games of both rounds. After an interruption, run it again to
# continue. The default sizes are toy sizes; scripts/README.md explains what to change for a real
# evaluation.
#
#   scripts/learn.sh DIR [ROUNDS]
#
# Settings come from the environment: GAMES (of the first round), NODES, EPOCHS, MATCH_GAMES,
# MATCH_NODES, THREADS and VARIANT. MANOURY is the program.
set -euo pipefail

dir=${1:?"usage: scripts/learn.sh DIR [ROUNDS]"}
rounds=${2:-2}
manoury=${MANOURY:-target/release/manoury}
variant=${VARIANT:-international}
threads=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
games=${GAMES:-10000}
mkdir -p "$dir"

teacher=hand
folders=()
for round in $(seq "$rounds"); do
  echo "== round $round: games"
  "$manoury" selfplay --variant "$variant" --out "$dir/games-$round" --games "$games" \
    --nodes "${NODES:-125}" --seed "$round" --threads "$threads" --weights "$teacher"
  folders=(${folders[@]+"${folders[@]: -1}"} "$dir/games-$round")
  if [ ! -d "$dir/sets-$round" ]; then
    echo "== round $round: sets"
    "$manoury" data "${folders[@]}" --variant "$variant" --out "$dir/sets-$round" | tail -1
  fi
  if [ ! -f "$dir/$round.weights" ]; then
    echo "== round $round: training"
    "$manoury" train --variant "$variant" --data "$dir/sets-$round" --out "$dir/$round.weights" \
      --epochs "${EPOCHS:-8}" --threads "$threads"
  fi
  echo "== round $round: match against the teacher"
  "$manoury" match --variant "$variant" --games "${MATCH_GAMES:-200}" --nodes "${MATCH_NODES:-3000}" \
    --concurrency "$threads" --log "$dir/match-$round.log" \
    --engine "$manoury hub,name=learned,param.tt-size=16,param.book=false,param.weights=$dir/$round.weights" \
    --engine "$manoury hub,name=teacher,param.tt-size=16,param.book=false,param.weights=$teacher"
  teacher=$dir/$round.weights
  games=$((games * 2))
done
