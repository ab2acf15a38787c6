#!/usr/bin/env bash
# Runs a round of scripts/learn.sh as one job of HyperQueue: games, data sets, training, a match,
# and the decision whether to keep the new weights. Run it again for the next round, to resume a
# failed one, or to wait for a running one.
#
#   scripts/cluster/learn.sh VARIANT DIR [--parts N] [--cores C] [--from FILE] [--dry-run] [-- OPTION ..]
#
# DIR must be the same on all machines. Games and match come in N parts (default 10) of one core
# each; training takes C cores (default 1) of one machine. --from plays with existing weights until
# a round wins. --dry-run prints the job file. The options are those of scripts/cluster/submit.py,
# such as --local 2.
#
# Settings come from the environment, as those of scripts/learn.sh: GAMES (of the first round; each
# further one plays twice as many), NODES, RANDOM_PLIES, OPENING_SCORE, LATE_PERCENT, LAMBDA_PERCENT,
# RESULT_SHARE, FINE_TUNE, EPOCHS, LEARNING_RATE, MATCH_GAMES, MATCH_NODES and BITBASES (a folder).
# MANOURY is the program, on all machines.
set -euo pipefail

usage="usage: scripts/cluster/learn.sh VARIANT DIR [--parts N] [--cores C] [--from FILE] [--dry-run] [-- OPTION ..]"
variant=${1:?"$usage"}
dir=${2:?"$usage"}
shift 2
parts=10 cores=1 from=hand is_dry=
while [ $# -gt 0 ]; do
  case $1 in
    --parts) parts=${2:?"$usage"} && shift ;;
    --cores) cores=${2:?"$usage"} && shift ;;
    --from) from=$(realpath "${2:?"$usage"}") && shift ;;
    --dry-run) is_dry=1 ;;
    --) shift && break ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift
done
. "$(dirname "$0")/job.sh"
. "$scripts/learn/steps.sh"

run() {
  task "$1" "$step_cores" "$manoury" "${@:2}"
}

job() {
  echo "name = $(strings "learn $dir $round")"
  step_cores=1
  for part in $(seq "$parts"); do
    play_games "$dir/games-$round-$part" "$((1000 * round + part))" "$((games / parts))" 1
  done
  next_step
  step_cores=$cores
  make_sets "$cores" "${folders[@]}"
  next_step
  train "$cores"
  next_step
  step_cores=1
  for part in $(seq "$parts"); do
    play_match "$dir/match-$round-$part.json" --part "$part/$parts" --log "$dir/match-$round-$part.log"
  done
  next_step
  play_match "$dir/match-$round.json" --join $(seq -f "$dir/match-$round-%.0f.log" "$parts")
  next_step
  task "$dir/judgement-$round.txt" 1 "$scripts/learn/judge.sh" "$dir" "$round" "$games"
}

# The next round, and the last one that won.
dir=$(realpath -m "$dir")
read -r round best < <(cat "$dir/rounds.md" 2>/dev/null |
  awk -F '|' 'NR > 2 { rounds++; if ($7 > 0) best = $2 + 0 } END { print rounds + 1, best }')
games=$(((${GAMES:-10000} << (round - 1)) / parts * parts))
teacher=${best:+$dir/$best.weights}
teacher=${teacher:-$from}
shopt -s nullglob
folders=("$dir/games-$((round - 1))"-*/)
folders+=($(seq -f "$dir/games-$round-%.0f" "$parts"))

if [ -n "$is_dry" ]; then
  job
else
  mkdir -p "$dir"
  job > "$dir/round-$round.toml"
  submit "$dir/round-$round.toml" "$@"
  tail -1 "$dir/rounds.md"
fi
