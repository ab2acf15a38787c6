#!/usr/bin/env bash
# Builds the release programs, each a single file without dependencies: for any x86-64, for x86-64
# from 2013 on (faster), and for aarch64. If QEMU user mode is installed, runs each on the oldest
# processor it is built for: the bench must visit the same number of nodes everywhere.
#
#   scripts/release.sh DIR
#
# Needs rustup, which installs the two targets.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:?the folder for the programs}
mkdir -p "$out"
nodes=

# NAME TARGET FLAGS EMULATOR..
build() {
  local name=$1 target=$2 flags=$3
  shift 3
  echo "== $name"
  rustup target add "$target" >/dev/null 2>&1
  # Rust's own linker and C library: the program contains nothing from this system.
  RUSTFLAGS="-C linker=rust-lld -C link-self-contained=yes $flags" \
    cargo build --profile dist --target "$target"
  cp "${CARGO_TARGET_DIR:-target}/$target/dist/manoury" "$out/$name"
  if command -v "$1" >/dev/null; then
    local found
    found=$("$@" "$out/$name" bench --depth 8 | tail -1 | cut -d' ' -f1)
    echo "$* $name: $found"
    : "${nodes:=$found}"
    if [ "$found" != "$nodes" ]; then
      echo "the nodes should be $nodes" >&2
      exit 1
    fi
  fi
}

build manoury-x86_64 x86_64-unknown-linux-musl "-C target-cpu=x86-64" qemu-x86_64 -cpu qemu64
build manoury-x86_64-v3 x86_64-unknown-linux-musl "-C target-cpu=x86-64-v3" qemu-x86_64 -cpu Haswell
# On an older processor manoury-x86_64-v3 must exit with a message, not crash.
if command -v qemu-x86_64 >/dev/null; then
  code=0
  qemu-x86_64 -cpu core2duo "$out/manoury-x86_64-v3" bench || code=$?
  [ "$code" -eq 3 ]
fi
build manoury-aarch64 aarch64-unknown-linux-musl "" qemu-aarch64 -cpu cortex-a53
ls -l "$out"
