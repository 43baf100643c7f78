# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# playwright-core, with which tests drive Chromium. Debian has no package of it, so one version is fetched from the registry of
# npm, without npm: it has no dependencies, and its bytes are checked against the hash below. This is the last minor version
# that runs on Debian 12's node (18). ./do clean keeps it, as it keeps sources.
#
# Needs scripts/common.sh.

playwright_url=https://registry.npmjs.org/playwright-core/-/playwright-core-1.61.1.tgz
playwright_sha512=87b425b7a9b8444a76e6abc876f6c3b55983e0ba955dfa51c61391bfd2f48f3113334e69e1fb8f27774acae4974310d26d79e64bbf470208bde7cf65192a4b92

fetch_playwright() {
  local folder=$root/build/src/playwright-core
  [[ $(cat "$folder/.complete" 2>/dev/null) == "$playwright_sha512" ]] && return
  rm -rf "$folder" "$folder.part"
  mkdir -p "$folder.part"
  if ! run "fetch playwright-core" fetch-playwright \
    /usr/lib/apt/apt-helper download-file "$playwright_url" "$folder.part/package.tgz" "SHA512:$playwright_sha512"; then
    say "could not fetch playwright-core: is the network there?"
    return 1
  fi
  tar -C "$folder.part" --strip-components=1 --no-same-owner -xzf "$folder.part/package.tgz"
  rm "$folder.part/package.tgz"
  echo "$playwright_sha512" >"$folder.part/.complete"
  mv "$folder.part" "$folder"
}
