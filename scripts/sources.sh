# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The sources of real programs, as Debian ships them: fetch_source lua5.4 leaves them in
# build/src/lua5.4 (a link to the unpacked folder), verified by apt against the archive's
# signature. Once there, nothing asks the network again; ./do clean keeps them.
#
# Needs scripts/common.sh and scripts/apt.sh, and the package group `sources`.

src_dir=$root/build/src

fetch_source() {
  local name=$1 unpacked
  [[ -e $src_dir/$name/.complete ]] && return
  mkdir -p "$src_dir"
  private_lists
  # Half a download must not look like a whole one: unpack aside, then rename.
  rm -rf "${src_dir:?}/$name"* "$src_dir/.$name"
  mkdir "$src_dir/.$name"
  if ! run "fetch the sources of $name" "fetch-$name" fetch_into "$src_dir/.$name" "$name"; then
    say "could not fetch $name: are the network and a Debian mirror with sources there?"
    return 1
  fi
  unpacked=$(find "$src_dir/.$name" -mindepth 1 -maxdepth 1 -type d)
  touch "$unpacked/.complete"
  mv "$unpacked" "$src_dir/$name"
  rm -rf "$src_dir/.$name"
}

fetch_into() {
  cd "$1" && private_apt get source --only-source "$2"
}
