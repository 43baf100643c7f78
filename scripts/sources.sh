# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The sources of real programs, as Debian ships them: fetch_source lua5.4 puts them into build/src/lua5.4 (a link to the
# unpacked folder), verified by apt against the archive's signature. After that, the network is not asked again; ./do
# clean keeps them.
#
# A mirror removes a version when a newer one comes, so lists of this morning may name files
# that are gone. Then the lists are read again. A mirror may also be half a snapshot, whose lists
# name files that it never had: then an older version is taken, of another suite. The last resort
# is Debian's archive of all versions, as of a fixed day.
#
# Needs scripts/common.sh and scripts/apt.sh, and the package group `sources`.

src_dir=$root/build/src
snapshot=${NOPHOOK_SNAPSHOT:-http://snapshot.debian.org/archive/debian/20251115T000000Z}

fetch_source() {
  local name=$1 unpacked
  [[ -e $src_dir/$name/.complete ]] && return
  mkdir -p "$src_dir"
  private_lists
  try_source "$name" || {
    say "the lists may be older than the mirror: they are read again"
    rm -f "$apt_ready"
    private_lists && try_source "$name"
  } || older_source "$name" || {
    say "the mirror has no sources of $name: trying $snapshot"
    snapshot_lists && try_source "$name" "$name" "${snapshot_options[@]}"
  } || {
    say "could not fetch the sources of $name. Tried: the mirror of apt's lists here, $snapshot. Is the network there?"
    say "Unpacked by hand in build/src/$name, with an empty file .complete in it, they are taken as they are."
    return 1
  }
  unpacked=$(find "$src_dir/.$name" -mindepth 1 -maxdepth 1 -type d)
  touch "$unpacked/.complete"
  rm -rf "${src_dir:?}/$name"
  mv "$unpacked" "$src_dir/$name"
  rm -rf "$src_dir/.$name"
}

# try_source NAME [WHAT OPTION...]: unpacks into a folder aside, since half a download must not look like a whole one.
try_source() {
  local name=$1
  rm -rf "$src_dir/.$name"
  mkdir "$src_dir/.$name"
  run "fetch the sources of $name" "fetch-$name" fetch_into "$src_dir/.$name" "${2:-$name}" "${@:3}"
}

# Fetches another version than the newest that apt lists.
older_source() {
  local version
  for version in $(private_apt cache showsrc --only-source "$1" 2>/dev/null | sed -n 's/^Version: //p' | sort -Vru | tail -n +2); do
    say "the mirror does not have all files of the newest $1: trying $version"
    try_source "$1" "$1=$version" && return
  done
  return 1
}

fetch_into() {
  cd "$1" && private_apt get "${@:3}" source --only-source "$2"
}

snapshot_options=(-o "Dir::Etc::SourceList=$apt_dir/snapshot.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::State::Lists=$apt_dir/snapshot-lists" -o Acquire::Check-Valid-Until=false)

# Reads the snapshot's lists, apart from the others, which must not contain old versions.
snapshot_lists() {
  local update_options=("${private_options[@]}" "${snapshot_options[@]}")
  mkdir -p "$apt_dir/snapshot-lists/partial"
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $snapshot bookworm main" >"$apt_dir/snapshot.list"
  run "read the lists of $snapshot" apt-snapshot apt_update env
}
