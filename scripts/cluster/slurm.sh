#!/usr/bin/env bash
# Lets the server that start.sh has started here ask Slurm for machines as long as there are tasks.
# Untested: no Slurm was at hand. `hq alloc dry-run slurm` with the same options tries them.
#
#   scripts/cluster/slurm.sh [--dry-run] DIR HOURS [OPTION ..]
#
# DIR is the server directory, on a file system that all machines see. HOURS is the time limit of
# each allocation: a task does not start on a worker with less time left than it may take. Options go
# to sbatch, such as --partition=cpu --account=me --exclusive. HQ is the program.
set -euo pipefail

run=
if [ "${1-}" = --dry-run ]; then run=echo; shift; fi
usage="usage: scripts/cluster/slurm.sh [--dry-run] DIR HOURS [OPTION ..]"
dir=${1:?"$usage"}
hours=${2:?"$usage"}
shift 2
export HQ_SERVER_DIR=$dir
$run "${HQ:-hq}" alloc add slurm --time-limit "${hours}h" -- "$@"
