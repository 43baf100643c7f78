# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The npm packages that tests use, and that Debian does not have. One version of each is fetched from the registry, without
# npm: none needs another package, or all that it needs is in this list. The bytes are checked against the hashes below.
# ./do clean keeps them, as it keeps sources.
#
#   playwright-core   drives Chromium; the last minor version that runs on Debian 12's node (18)
#   speedscope        opens what `nophook export` writes
#   d3-flame-graph    draws a flame graph of it, with d3
#
# Needs scripts/common.sh.

npm_packages='
playwright-core 1.61.1 87b425b7a9b8444a76e6abc876f6c3b55983e0ba955dfa51c61391bfd2f48f3113334e69e1fb8f27774acae4974310d26d79e64bbf470208bde7cf65192a4b92
speedscope 1.25.0 7297fd1d64d97f58a32d7049ae4f3b55eff9e2d9d8c7aae57f48144e1be7de8a24ea1eb784b5d539088c7f8e0f4fe5e8579d3770f7ef7e24f980fe6fa23a7a02
d3-flame-graph 5.0.0 00b650e1ab7c0dec7c1c2a23f43e69e5363a80b344736bc0640cbe34a3bfe862c47e1609986c58b910a53ba44fa29967772387c504cf8a976519e3208248ed9d
d3 7.9.2 64a6ff98e34f54acda3b952571673037c6d2e1ecef41a62ef9bb28bbe5e034005d182f34d24c07eb9d400d36db4f130f1d6d77525bdb41a7dd989403935c3b32
'

fetch_npm_packages() {
  local name version sha512
  while read -r name version sha512; do
    [[ -z $name ]] || fetch_npm_package "$name" "$version" "$sha512" || return
  done <<<"$npm_packages"
}

# fetch_npm_package NAME VERSION SHA512: into build/src/NAME.
fetch_npm_package() {
  local name=$1 version=$2 sha512=$3
  local folder=$root/build/src/$name
  [[ $(cat "$folder/.complete" 2>/dev/null) == "$sha512" ]] && return
  rm -rf "$folder" "$folder.part"
  mkdir -p "$folder.part"
  if ! run "fetch $name" "fetch-$name" /usr/lib/apt/apt-helper download-file \
    "https://registry.npmjs.org/$name/-/$name-$version.tgz" "$folder.part/package.tgz" "SHA512:$sha512"; then
    say "could not fetch $name: is the network there?"
    return 1
  fi
  tar -C "$folder.part" --strip-components=1 --no-same-owner -xzf "$folder.part/package.tgz"
  rm "$folder.part/package.tgz"
  echo "$sha512" >"$folder.part/.complete"
  mv "$folder.part" "$folder"
}
