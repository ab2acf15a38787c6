#!/usr/bin/env bash
# Builds the programs for distribution, each a single file that needs nothing beside it, in archives
# with completions, manual pages and licences: Linux for x86-64 (Intel from 2008, AMD from 2011 on)
# and for aarch64, Windows for x86-64. Each is run where an emulator is installed (QEMU user mode,
# Wine): the bench must visit the same number of nodes everywhere.
#
#   scripts/release.sh DIR [NAME ..]
#
# NAMEs choose among linux-x86_64, linux-aarch64, windows-x86_64 and package, which checks that the
# packages for cargo build by themselves and are within its limit of size. Without NAMEs all are
# done. Needs rustup, which installs the targets, Python 3, and for Windows the linker of mingw-w64.
# Archives land in DIR, with their checksums in SHA256SUMS. The same commit makes the same archives: their
# files have the time of the commit, no owner, and a fixed order.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:?the folder for the archives}
shift
chosen=" $* "
mkdir -p "$out"
out=$(realpath "$out")
made=()
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -1)
expected=nodes=$(sed -n 's/^international [0-9]* //p' tests/data/bench_nodes.txt)
depth=$(sed -n 's/^international \([0-9]*\) .*/\1/p' tests/data/bench_nodes.txt)
# Linux programs are linked with Rust's own linker and C library, nothing of this system.
own="-C linker=rust-lld -C link-self-contained=yes"

is_chosen() { # NAME
  [ "$chosen" = "  " ] || [[ $chosen == *" $1 "* ]]
}

# Builds the program and sets $program to its path.
build() { # TARGET FLAGS
  local said
  if ! said=$(rustup target add "$1" 2>&1); then
    echo "$said" >&2
    echo "scripts/release.sh: rustup cannot add the target $1; choose others by NAME" >&2
    exit 1
  fi
  RUSTFLAGS=$2 cargo build --profile dist --target "$1"
  program=${CARGO_TARGET_DIR:-target}/$1/dist/manoury
  [ -f "$program" ] || program=$program.exe
}

# Runs the bench of $program if the emulator is installed.
try() { # EMULATOR..
  if ! command -v "$1" >/dev/null; then
    echo "not run: there is no $1"
    return
  fi
  local found
  found=$("$@" "$program" bench --depth "$depth" | tail -1 | cut -d' ' -f1)
  echo "$*: $found"
  [ "$found" = "$expected" ] || { echo "$expected were expected" >&2; exit 1; }
}

# Packs a folder in another one as a ZIP file.
zip_of() { # PARENT FOLDER FILE
  python3 - "$@" <<'END'
import os, pathlib, sys, time, zipfile
parent, folder, file = sys.argv[1:]
date = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]
with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(path for path in pathlib.Path(parent, folder).rglob("*") if path.is_file()):
        entry = zipfile.ZipInfo(path.relative_to(parent).as_posix(), date)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = 0o644 << 16
        archive.writestr(entry, path.read_bytes())
END
}

# Packs $program with manual pages, completions and licences. A program for this machine prints the
# pages and completions.
pack() { # NAME TARGET
  local folder=manoury-$version-$1 work
  work=$(mktemp -d)
  mkdir "$work/$folder"
  cp "$program" README.md LICENSE-MIT LICENSE-APACHE "$work/$folder"
  scripts/licences.py "$2" >"$work/$folder/LICENCES-OF-PACKAGES.txt"
  cargo run --quiet --release -- man "$work/$folder/man" >/dev/null
  mkdir "$work/$folder/completions"
  for shell in bash elvish fish powershell zsh; do
    cargo run --quiet --release -- completions "$shell" >"$work/$folder/completions/manoury.$shell"
  done
  if [[ $1 == windows-* ]]; then
    zip_of "$work" "$folder" "$out/$folder.zip"
    made+=("$folder.zip")
  else
    tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mode=go-w \
      --mtime="@$SOURCE_DATE_EPOCH" -cf - "$folder" | gzip -9n >"$out/$folder.tar.gz"
    made+=("$folder.tar.gz")
  fi
  rm -r "$work"
}

# One program for every processor with POPCNT: where there is AVX2, the evaluation uses it, so that a
# search is as fast as in a build for x86-64-v3.
if is_chosen linux-x86_64; then
  build x86_64-unknown-linux-musl "$own -C target-cpu=x86-64-v2"
  try qemu-x86_64 -cpu Nehalem
  try qemu-x86_64 -cpu Haswell
  # On an older processor it must exit with a message, not crash.
  if command -v qemu-x86_64 >/dev/null; then
    code=0
    qemu-x86_64 -cpu core2duo "$program" bench || code=$?
    [ "$code" -eq 3 ]
  fi
  pack linux-x86_64 x86_64-unknown-linux-musl
fi
if is_chosen linux-aarch64; then
  build aarch64-unknown-linux-musl "$own"
  try qemu-aarch64 -cpu cortex-a53
  pack linux-aarch64 aarch64-unknown-linux-musl
fi
if is_chosen windows-x86_64; then
  build x86_64-pc-windows-gnu "-C target-cpu=x86-64-v2"
  if command -v wine >/dev/null; then
    scripts/wine.sh "$program"
  else
    echo "not run: there is no wine"
  fi
  pack windows-x86_64 x86_64-pc-windows-gnu
fi
if is_chosen package; then
  cargo package --package manoury-core --package manoury
  for package in "${CARGO_TARGET_DIR:-target}"/package/manoury*-"$version".crate; do
    size=$(stat -c %s "$package")
    echo "$(basename "$package"): $size bytes"
    [ "$size" -le $((10 << 20)) ] || { echo "at most 10 MiB are accepted" >&2; exit 1; }
  done
fi
if [ ${#made[@]} -gt 0 ]; then
  (cd "$out" && sha256sum "${made[@]}" >SHA256SUMS)
fi
ls -l "$out"
