#!/usr/bin/env bash
# Makes the sets of `manoury match --openings edge` again, in src/arena/openings/edge/sets, in a few
# minutes. README.md explains the windows. MANOURY is the program.
#
#   scripts/edge_openings.sh
set -euo pipefail
cd "$(dirname "$0")/.."

manoury=${MANOURY:-target/release/manoury}
pdn=$(mktemp)
trap 'rm -f "$pdn"' EXIT

# A set is a list of the numbers of random games, as src/arena/openings/edge.rs reads it: each
# as the difference to the one before, where 255 adds to the difference that follows.
make() {
  variant=$1 count=$2 lead=$3
  "$manoury" openings --variant "$variant" --count "$count" --lead "$lead" --out "$pdn"
  sed -n 's/^\[Round "\(.*\)"\]$/\1/p' "$pdn" |
    awk '{ for (step = $1 - last; step >= 255; step -= 255) print 255; print step; last = $1 }' |
    paste -sd , | sed 's/,/, /g; s/.*/[&]/' | fold -sw 100 | sed 's/ $//' \
    > "src/arena/openings/edge/sets/$variant.txt"
}

make international 4000 0.4..0.8
make english 1000 0.8..1.0
make italian 1000 0.8..1.1
make spanish 1000 0.8..1.2
make german 1000 0.8..1.2
make czech 1000 0.8..1.2
