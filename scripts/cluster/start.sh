#!/usr/bin/env bash
# Starts a server of HyperQueue and a worker on this machine, and ends them with Ctrl-C.
#
#   scripts/cluster/start.sh [--dry-run] DIR [CORES] [-- OPTION ..]
#
# DIR becomes the server directory, in a folder that all machines see: whoever can read it can
# submit jobs. The worker offers CORES cores, by default all; with 0 there is only a server. The
# journal in DIR keeps the jobs: started again after a crash, the server resumes them. Its workers
# stop their tasks when it dies, because the next one gives them to others. Options go to `hq server
# start`, such as --host ADDRESS where other machines do not know the name of this one. HQ is the
# program.
set -euo pipefail

run= spawn=background
background() { "$@" & }
if [ "${1-}" = --dry-run ]; then run=echo spawn=echo; shift; fi
dir=$(realpath -m "${1:?"usage: scripts/cluster/start.sh [--dry-run] DIR [CORES] [-- OPTION ..]"}")
shift
cores=$(getconf _NPROCESSORS_ONLN)
if [ $# -gt 0 ] && [ "$1" != -- ]; then cores=$1; shift; fi
shift $(($# > 0))
export HQ_SERVER_DIR=$dir
hq=${HQ:-hq}
if [ -z "$run" ] && ! command -v "$hq" >/dev/null; then
  echo "scripts/cluster/start.sh: there is no program $hq. The Python package hyperqueue runs jobs on this
machine, without a server: give the other scripts -- --local CORES. For several machines install the program
hq of HyperQueue, or name it by HQ." >&2
  exit 2
fi

$run mkdir -p "$dir"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
$spawn "$hq" server start --journal "$dir/journal" --journal-flush-period 1s "$@"
$run "$hq" server wait
if [ "$cores" != 0 ]; then
  $spawn "$hq" worker start --cpus "$cores" --on-server-lost stop
fi
wait
