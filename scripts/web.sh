#!/usr/bin/env bash
# Builds the engine for the browser: static files that any web server can serve, with a worker that
# speaks Hub.
#
#   scripts/web.sh DIR
#
# Needs rustup, which installs the target.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:?the folder for the files}
target=wasm32-unknown-unknown
mkdir -p "$out"
rustup target add "$target" >/dev/null 2>&1 ||
  { echo "rustup cannot install $target" >&2; exit 3; }

cargo build --release --package manoury-web --target "$target"
cp "${CARGO_TARGET_DIR:-target}/$target/release/manoury_web.wasm" "$out/manoury.wasm"
cp src/web/*.js "$out"
mkdir -p "$out/files"
cp src/weights/*.weights book/*.book src/core/bitbase/embedded/*.bitbases "$out/files"
ls -l "$out"
