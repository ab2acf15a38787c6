#!/usr/bin/env bash
# The whole way from nothing to an evaluation, at toy size: games of the engine against itself, sets of
# positions, training, and a match of what was learned against what played the games. The first round
# plays with weights chosen by hand, each other with what the round before has learned. Run it again to go
# on after an interruption; scripts/README.md tells what to change for a real evaluation.
#
#   scripts/learn.sh DIR [ROUNDS]
#
# Sizes come from the environment: GAMES, NODES, EPOCHS, MATCH_GAMES, MATCH_NODES, THREADS, and VARIANT.
# MANOURY is the program.
set -euo pipefail

dir=${1:?"usage: scripts/learn.sh DIR [ROUNDS]"}
rounds=${2:-2}
manoury=${MANOURY:-target/release/manoury}
variant=${VARIANT:-international}
threads=${THREADS:-$(getconf _NPROCESSORS_ONLN)}
mkdir -p "$dir"

teacher=hand
for round in $(seq "$rounds"); do
  echo "== round $round: games"
  "$manoury" selfplay --variant "$variant" --out "$dir/games-$round" --games "${GAMES:-20000}" \
    --nodes "${NODES:-400}" --seed "$round" --threads "$threads" --weights "$teacher"
  if [ ! -d "$dir/sets-$round" ]; then
    echo "== round $round: sets"
    folders=()
    for earlier in $(seq "$round"); do folders+=("$dir/games-$earlier"); done
    "$manoury" data "${folders[@]}" --variant "$variant" --out "$dir/sets-$round" | tail -1
  fi
  if [ ! -f "$dir/$round.weights" ]; then
    echo "== round $round: training"
    "$manoury" train --variant "$variant" --data "$dir/sets-$round" --out "$dir/$round.weights" \
      --epochs "${EPOCHS:-10}" --threads "$threads"
  fi
  echo "== round $round: match against the teacher"
  "$manoury" match --variant "$variant" --games "${MATCH_GAMES:-200}" --nodes "${MATCH_NODES:-2000}" \
    --concurrency "$threads" --log "$dir/match-$round.log" \
    --engine "$manoury hub,name=learned,param.tt-size=16,param.weights=$dir/$round.weights" \
    --engine "$manoury hub,name=teacher,param.tt-size=16,param.weights=$teacher"
  teacher=$dir/$round.weights
done
