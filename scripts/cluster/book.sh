#!/usr/bin/env bash
# Grows a book to a number of positions as one job of HyperQueue. Each batch has a task for each
# part of its searches, and one that expands the book by their results. With node limits the book is
# the same as that of `manoury book build --batch BATCH`. Run it again to resume a failed job, or to
# wait for a running one.
#
#   scripts/cluster/book.sh BOOK POSITIONS BATCH PARTS ARGUMENT .. [-- OPTION ..]
#
# BOOK must be the same file on all machines; the folder BOOK.searches beside it gets the results
# of searches, and can be deleted at the end. The arguments are those that `manoury book build` and
# `manoury book search` have in common, among them --nodes-per-position. The options are those of
# scripts/cluster/submit.py, such as --local 2. MANOURY is the program.
set -euo pipefail

usage="usage: scripts/cluster/book.sh BOOK POSITIONS BATCH PARTS ARGUMENT .. [-- OPTION ..]"
book=$(realpath -m "${1:?"$usage"}") wanted=${2:?"$usage"} batch=${3:?"$usage"} parts=${4:?"$usage"}
shift 4
. "$(dirname "$0")/job.sh"
split "$@"

# The common arguments of `book build` and `book search`.
book() {
  local output=$1 command=$2
  shift 2
  task "$output" 1 "$manoury" book "$command" "${arguments[@]}" --batch "$batch" "$@"
}

# build POSITIONS ARGUMENT ..: grows the book to POSITIONS
build() {
  book "$searches/$1.txt" build --threads 1 --out "$book" --positions "$@"
  next_step
}

# search POSITIONS: the searches for the batch after the first POSITIONS
search() {
  local part log
  for part in $(seq "$parts"); do
    log=$searches/$1-$part.log
    logs+=("$log")
    book "$log.txt" search --book "$book" --part "$part/$parts" --log "$log"
  done
  next_step
}

job() {
  local from=0 to logs
  echo "name = $(strings "book $book")"
  while [ "$from" -lt "$wanted" ]; do
    logs=()
    to=$((from + batch < wanted ? from + batch : wanted))
    if [ ! -s "$searches/$to.txt" ]; then
      # The first batch starts from one position, so it cannot be divided.
      [ "$from" = 0 ] || search "$from"
      build "$to" ${logs[0]+--searches "${logs[@]}"}
    fi
    from=$to
  done
}

searches=$book.searches
mkdir -p "$searches"
job > "$searches/job.toml"
if [ -n "$(sed 1d "$searches/job.toml")" ]; then
  submit "$searches/job.toml" "${options[@]}"
fi
tail -1 "$searches/$wanted.txt"
