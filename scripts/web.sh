#!/usr/bin/env bash
# Builds the page with the engine: static files that any web server can serve. worker.js is the engine
# alone, a worker that speaks Hub, for pages of others.
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
cp -r src/page/. "$out"
# What the page keeps for visits without a network.
(cd "$out" && find . -type f ! -path './files/*' ! -name 'files.json*' ! -name service-worker.js) | sort |
  sed -e 's|^\./\(.*\)$|  "\1"|' -e '$!s|$|,|' -e '1i [' -e '$a ]' > "$out/files.json.new"
mv "$out/files.json.new" "$out/files.json"
mkdir -p "$out/files"
cp src/weights/*.weights book/*.book src/core/bitbase/embedded/*.bitbases "$out/files"
ls -l "$out"
