#!/usr/bin/env bash
# Tunes the numbers of an engine, as one job of HyperQueue: parts of the games are tasks. As many
# steps as are begun ahead make a batch; the next batch waits for it. By nodes it finds the same
# values as one process of `manoury tune`. Prints the result. Run it again to go on with one that
# failed, or to wait for one that is under way.
#
#   scripts/cluster/tune.sh DIR PARTS ARGUMENT .. [-- OPTION ..]
#
# The arguments are those of `manoury tune`, but not --log. DIR, for the logs and the job file, must
# be the same on all machines, and so must the engine. A part plays one game at a time. The options
# are those of scripts/cluster/submit.py, such as --local 2. MANOURY is the program.
set -euo pipefail

usage="usage: scripts/cluster/tune.sh DIR PARTS ARGUMENT .. [-- OPTION ..]"
dir=$(realpath -m "${1:?"$usage"}") parts=${2:?"$usage"}
shift 2
. "$(dirname "$0")/job.sh"
split "$@"

# number NAME DEFAULT: the number of an argument
number() {
  local value=$2 index
  for index in "${!arguments[@]}"; do
    case ${arguments[index]} in
      "$1") value=${arguments[index + 1]} ;;
      "$1="*) value=${arguments[index]#*=} ;;
    esac
  done
  echo "$value"
}

job() {
  local batch part
  echo "name = $(strings "tune $dir")"
  for batch in $(seq $(((steps + ahead - 1) / ahead))); do
    for part in $(seq "$parts"); do
      task "$dir/$part.txt" 1 \
        "$manoury" tune "${arguments[@]}" --part "$part/$parts" --log "$dir/$part.log" --join "${logs[@]}"
    done
    next_step
  done
}

mapfile -t logs < <(seq -f "$dir/%.0f.log" "$parts")
mkdir -p "$dir"
# The result, if all is there; and the program says what is wrong with the arguments.
report=("$manoury" tune "${arguments[@]}" --join "${logs[@]}")
code=0
"${report[@]}" > "$dir/report.txt" 2> "$dir/report.err" || code=$?
if [ "$code" -gt 1 ]; then cat "$dir/report.err" >&2; exit "$code"; fi
if [ "$code" = 0 ]; then cat "$dir/report.txt"; exit; fi

pairs=$(number --pairs 1) ahead=$(number --ahead 16)
steps=$(number --steps $(($(number --games 0) / (2 * pairs))))
job > "$dir/tune.toml"
submit "$dir/tune.toml" "${options[@]}"
"${report[@]}"
