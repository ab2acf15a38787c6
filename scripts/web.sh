#!/usr/bin/env bash
# Builds the page with the engine: static files that any web server can serve. worker.js is the
# engine alone, a worker that speaks Hub, for other sites.
#
#   scripts/web.sh DIR
#
# Needs rustup, which installs the target. Where it cannot, Debian's packages rustc-web and rust-web-src
# do: the standard library is then built as well.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${1:?the folder for the files}
target=wasm32-unknown-unknown
mkdir -p "$out"

build() {
  cargo "$@" build --release --package manoury-web --target "$target"
}

if rustup target add "$target" >/dev/null 2>&1; then
  build
elif [ -x /usr/bin/rustc ] && [ -d "$(/usr/bin/rustc --print sysroot)/lib/rustlib/src" ]; then
  # Debian's compiler comes without a linker for WebAssembly; rustup's has one.
  rustup_library=$(rustc --print target-libdir)
  export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$rustup_library/../bin/rust-lld
  # -Zbuild-std is unstable: a stable compiler refuses it without RUSTC_BOOTSTRAP.
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 build -Zbuild-std=std,panic_abort
else
  echo "rustup cannot install $target, and Debian's rustc-web with rust-web-src is not installed" >&2
  exit 3
fi
cp "${CARGO_TARGET_DIR:-target}/$target/release/manoury_web.wasm" "$out/manoury.wasm"
cp src/web/*.js "$out"
cp -r src/page/. "$out"
# The files that the page caches for use without a network.
(cd "$out" && find . -type f ! -path './files/*' ! -name 'files.json*' ! -name service-worker.js) | sort |
  sed -e 's|^\./\(.*\)$|  "\1"|' -e '$!s|$|,|' -e '1i [' -e '$a ]' > "$out/files.json.new"
mv "$out/files.json.new" "$out/files.json"
mkdir -p "$out/files"
cp src/weights/*.weights book/*.book src/core/bitbase/embedded/*.bitbases "$out/files"
ls -l "$out"
