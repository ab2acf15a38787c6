#!/usr/bin/env bash
# A book, grown as one job of HyperQueue to the number of positions that it is to have. In each
# round it is expanded by a quarter: parts of the searches are tasks, and one that expands the book
# by their results. The book is the same as that of one process with one thread. Run it again to go
# on with one that failed.
#
#   scripts/cluster/book.sh BOOK POSITIONS PARTS ARGUMENT .. [-- OPTION ..]
#
# BOOK must be the same file on all machines; the folder BOOK.searches beside it gets the results
# of searches and can be deleted at the end. The arguments are those that `manoury book build` and
# `manoury book search` have in common, among them --nodes-per-position. The options are those of
# scripts/cluster/submit.py, such as --local 2. MANOURY is the program.
set -euo pipefail

usage="usage: scripts/cluster/book.sh BOOK POSITIONS PARTS ARGUMENT .. [-- OPTION ..]"
book=$(realpath -m "${1:?"$usage"}") wanted=${2:?"$usage"} parts=${3:?"$usage"}
shift 3
arguments=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
  arguments+=("$1")
  shift
done
shift $(($# > 0))
manoury=${MANOURY:-target/release/manoury}
scripts=$(realpath "$(dirname "$0")/..")
. "$scripts/cluster/job.sh"

# A book smaller than this is built by one task.
least=200

# round POSITIONS MORE: expands a book of so many positions, if that is still to be done
round() {
  local part log logs=()
  is_built $(($1 + $2)) && return
  for part in $(seq "$parts"); do
    log=$searches/$1-$part.log
    logs+=("$log")
    task "$log.txt" 1 "$manoury" book search "${arguments[@]}" --book "$book" --ahead "$2" \
      --part "$part/$parts" --log "$log"
  done
  next_step
  build $(($1 + $2)) --searches "${logs[@]}"
}

# build POSITIONS ARGUMENT ..
build() {
  task "$searches/$1.txt" 1 "$manoury" book build "${arguments[@]}" --threads 1 --out "$book" --positions "$@"
  next_step
}

is_built() {
  [ -s "$searches/$1.txt" ]
}

job() {
  local positions=$((wanted < least ? wanted : least)) more
  echo "name = \"book\""
  is_built "$positions" || build "$positions"
  while [ "$positions" -lt "$wanted" ]; do
    more=$((positions / 4 < wanted - positions ? positions / 4 : wanted - positions))
    round "$positions" "$more"
    positions=$((positions + more))
  done
}

searches=$book.searches
mkdir -p "$searches"
job > "$searches/job.toml"
submit "$searches/job.toml" "$@"
tail -1 "$searches/$wanted.txt"
