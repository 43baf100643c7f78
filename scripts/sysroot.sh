# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Libraries of another architecture, to link with. dpkg --add-architecture would change the user's system, and LLVM's
# packages for two architectures exclude each other. So the packages are downloaded by an apt that believes it is on the
# other machine, and unpacked below build/. Nothing of them is installed. apt verifies them as always.
#
# Needs apt.sh.

# sysroot ARCHITECTURE GROUP: unpacks the group of scripts/packages into build/sysroot-ARCHITECTURE, once.
sysroot() {
  local architecture=$1 folder=$PWD/build/sysroot-$1 packages
  mapfile -t packages < <(packages_of "$2")
  [[ "$(cat "$folder/.packages" 2>/dev/null)" != "${packages[*]}" ]] || return 0
  private_lists
  run "unpack ${#packages[@]} packages for $architecture" "sysroot-$architecture" \
    unpack_packages "$architecture" "$folder" "${packages[@]}" || die "no libraries for $architecture"
  echo "${packages[*]}" >"$folder/.packages"
}

# unpack_packages ARCHITECTURE FOLDER PACKAGE...
unpack_packages() {
  local architecture=$1 folder=$2 state=$apt_dir/$1 file link
  shift 2
  local options=("${apt_options[@]}" "${private_options[@]}" -o "APT::Architecture=$architecture"
    -o "APT::Architectures::=$architecture" -o "Dir::State::Lists=$state/lists" -o "Dir::State::Status=$state/status"
    -o "Dir::Cache=$state/cache")
  rm -rf "$folder" "$state/packages"
  mkdir -p "$folder/usr/lib" "$state/lists/partial" "$state/cache/archives/partial" "$state/packages"
  : >"$state/status"
  ln -s usr/lib "$folder/lib"
  apt-get "${options[@]}" update &&
    (cd "$state/packages" && apt-get "${options[@]}" download "$@") || return
  for file in "$state/packages"/*.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -x --keep-directory-symlink -C "$folder" || return
  done
  rm -rf "$state/packages"
  # Links to /lib mean the folder's own.
  find "$folder" -type l -lname '/*' | while read -r link; do
    ln -sfnr "$folder$(readlink "$link")" "$link"
  done
}
