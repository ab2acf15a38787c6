# The steps of a round of learning, for scripts/learn.sh and scripts/cluster/learn.sh. Each calls
#
#   run OUTPUT ARGUMENT ..
#
# with the file for the output and the arguments of the program: one script runs it, the other makes
# it a task. Both have set variant, dir, round and teacher (weights, or `hand`).

# play_games FOLDER SEED GAMES THREADS
play_games() {
  run "$1.txt" selfplay --variant "$variant" --out "$1" --seed "$2" --games "$3" --threads "$4" \
    --nodes "${NODES:-125}" --max-opening-score "${OPENING_SCORE:-100}" --weights "$teacher" \
    ${RANDOM_PLIES:+--random-plies "$RANDOM_PLIES"} ${BITBASES:+--bitbases "$BITBASES"}
}

# make_sets THREADS FOLDER ..
make_sets() {
  local threads=$1
  shift
  [ -d "$dir/sets-$round" ] ||
    run "$dir/sets-$round.txt" data "$@" --variant "$variant" --threads "$threads" --out "$dir/sets-$round" \
      --late-percent "${LATE_PERCENT:-100}" --lambda-percent "${LAMBDA_PERCENT:-90}"
}

# train THREADS: from scratch, or with FINE_TUNE from the weights of the teacher if it has a network
train() {
  local epochs=${EPOCHS:-} rate=${LEARNING_RATE:-} start=()
  if [ -n "${FINE_TUNE:-}" ] && [ "$teacher" != hand ]; then
    start=(--from "$teacher" --output-rate 0.05 --decay 0.4) epochs=${epochs:-3} rate=${rate:-0.008}
  fi
  [ -f "$dir/$round.weights" ] ||
    run "$dir/training-$round.txt" train --variant "$variant" --data "$dir/sets-$round" \
      --out "$dir/$round.weights" ${epochs:+--epochs "$epochs"} ${rate:+--learning-rate "$rate"} \
      --result-share "${RESULT_SHARE:-0}" --threads "$1" ${start[@]+"${start[@]}"}
}

# play_match OUTPUT ARGUMENT ..: the new weights against the teacher; arguments for the match
play_match() {
  local output=$1 settings=param.tt-size=16,param.book=false
  shift
  run "$output" match --variant "$variant" --games "${MATCH_GAMES:-400}" --nodes "${MATCH_NODES:-3000}" \
    --max-moves 200 --json "$@" \
    --engine "$manoury hub,name=learned,$settings,param.weights=$dir/$round.weights" \
    --engine "$manoury hub,name=teacher,$settings,param.weights=$teacher"
}
