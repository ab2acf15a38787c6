#!/usr/bin/env bash
# Packs games of self-play into an archive for publication: the first files of each folder, each
# with 1,000 games. 1,000 games of international draughts take 1.5 MB.
#
#   scripts/games.sh ARCHIVE FILES DIR ..
#
# ARCHIVE ends in .tar.xz; FILES is the number of files per folder. The files record the seed, nodes
# and weights they were played with. To train: tar xf ARCHIVE, then `manoury data DIR .. --out
# sets`.
set -euo pipefail

usage="usage: scripts/games.sh ARCHIVE FILES DIR .."
archive=$(realpath "${1:?"$usage"}")
files=${2:?"$usage"}
: "${3:?"$usage"}"
shift 2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for folder in "$@"; do
  name=$(basename "$folder")
  mkdir "$work/$name"
  find "$(realpath "$folder")" -maxdepth 1 -name '*.games' | sort | head -n "$files" |
    xargs -r -d '\n' ln -s -t "$work/$name"
done
tar --dereference --directory "$work" --sort name --mtime @0 --owner 0 --group 0 --numeric-owner --create . |
  xz --threads 0 >"$archive.part"
mv "$archive.part" "$archive"
ls -l "$archive"
