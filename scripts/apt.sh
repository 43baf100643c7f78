# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Debian packages and sources, without a trace on the user's apt configuration.
#
# need GROUP... installs the missing packages of scripts/packages. The ordinary case costs one dpkg-query. Two things
# need more than the machine's own lists: source packages (most machines have no deb-src), and LLVM 22, which Debian 12
# carries in bookworm-security (a bare debootstrap knows only bookworm). Editing the user's sources for that would be
# rude and hard to undo, so both use a private apt: the machine's own Debian entries, mirror and keys included, plus the
# missing ones, with lists and caches under build/apt. Its packages are verified as always and installed into the only
# dpkg database.

apt_dir=$PWD/build/apt
apt_ready=$apt_dir/updated # its age is the age of the private lists

# A Debian machine's unattended upgrades may hold the lock for minutes.
apt_options=(-o DPkg::Lock::Timeout=600 -o Acquire::Retries=3
  -o APT::Install-Recommends=false -o Dpkg::Use-Pty=false)
private_options=(-o "Dir::Etc::SourceList=$apt_dir/nophook.list"
  -o "Dir::Etc::SourceParts=$apt_dir/sources.list.d"
  -o "Dir::State::Lists=$apt_dir/lists" -o "Dir::Cache=$apt_dir/cache"
  -o Acquire::Languages=none)

# The packages of some groups, one a line.
packages_of() {
  local group
  for group; do
    awk -v group="$group" '$1 == group { for (i = 2; i <= NF; i++) print $i }' scripts/packages
  done | sort -u
}

# Prints the given packages that are not installed.
missing_of() {
  comm -23 <(printf '%s\n' "$@" | sort -u) \
    <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null |
      sed -n 's/^[ih]i  *//p' | sort -u)
}

# Prints the given packages that this apt cannot install: without_candidate OPTION... -- PACKAGE...
without_candidate() {
  local options=()
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  comm -23 <(printf '%s\n' "$@" | sort -u) <(apt-cache "${options[@]}" policy "$@" 2>/dev/null |
    awk '/^[^ ]/ { sub(":$", "", $1); name = $1 } $1 == "Candidate:" && $2 != "(none)" { print name }' |
    sort -u)
}

# apt-get update does not wait for the lock of the lists, so it is tried again.
apt_update() {
  local try
  for try in 1 2 3 4 5 6; do
    "$@" apt-get "${apt_options[@]}" "${update_options[@]}" update 2>&1 | tee "$log_dir/apt-update.last"
    grep -q 'Could not get lock' "$log_dir/apt-update.last" || return 0
    echo "another apt holds the lists, waiting ($try of 6)"
    sleep 10
  done
}

# Writes the private configuration: the machine's entries for Debian, each with its sources.
write_private_sources() {
  local out=$apt_dir/sources.list.d file
  rm -rf "$out"
  mkdir -p "$out" "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial"
  : >"$apt_dir/nophook.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [[ -f $file ]] || continue
    sed -nE 's/^[ \t]*deb[ \t]+(.*(bookworm|stable).*)/deb \1\ndeb-src \1/p' "$file"
  done >"$out/lines.list"
  for file in /etc/apt/sources.list.d/*.sources; do
    [[ -f $file ]] || continue
    sed '/^#/d' "$file" | awk 'BEGIN { RS = ""; ORS = "\n\n" }
      /(^|\n)Enabled: *no/ { next }
      /(^|\n)Suites:[^\n]*(bookworm|stable)/ && /(^|\n)Types:[^\n]*deb/ {
        sub(/(^|\n)Types:[^\n]*/, "\nTypes: deb deb-src"); sub(/^\n/, ""); print
      }'
  done >"$out/stanzas.sources"
}

# Adds the suites that the machine's entries lack to the private configuration, from the machine's own mirror if that
# has them. Prints the suites that were added; uses lists that have been read.
add_missing_suites() {
  local known main suite uri
  known=$(private_apt get indextargets --format '$(CODENAME) $(REPO_URI)' 'Identifier: Packages')
  main=$(awk '$1 == "bookworm" { print $2; exit }' <<<"$known")
  : "${main:=http://deb.debian.org/debian/}"
  for suite in bookworm bookworm-security; do
    grep -q "^$suite " <<<"$known" && continue
    uri=$main
    if [[ $suite == *-security ]]; then
      uri=${main%/}-security/
      /usr/lib/apt/apt-helper download-file "${uri}dists/$suite/InRelease" \
        "$apt_dir/probe" >/dev/null 2>&1 || uri=http://deb.debian.org/debian-security/
      rm -f "$apt_dir/probe"
    fi
    printf 'Types: deb deb-src\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n\n' "$uri" \
      "$suite" /usr/share/keyrings/debian-archive-keyring.gpg >>"$apt_dir/sources.list.d/missing.sources"
    say "apt here does not list $suite: taken from $uri, for this tree only"
    echo "$suite"
  done
}

# private_apt get|cache ARGUMENT...
private_apt() {
  local tool=apt-$1
  shift
  "$tool" "${apt_options[@]}" "${private_options[@]}" "$@"
}

# Makes the private apt usable; its lists are refreshed once a day.
private_lists() {
  if [[ -z $(find "$apt_ready" -mmin -1440 2>/dev/null) ]]; then
    local update_options=("${private_options[@]}") added
    write_private_sources
    run "read Debian's package lists" apt-update apt_update env
    added=$(add_missing_suites)
    [[ -z $added ]] || run "read the lists of ${added//$'\n'/, }" apt-update-2 apt_update env
    touch "$apt_ready"
  fi
}

# Installs the packages of some groups: need GROUP...
need() {
  local wanted missing
  mapfile -t wanted < <(packages_of "$@")
  mapfile -t missing < <(missing_of "${wanted[@]}")
  ((${#missing[@]})) || return 0

  command -v apt-get >/dev/null || die "this is no Debian; please install: ${missing[*]}"
  say "to be installed by apt: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local options=() update_options=()
  if [[ -n $(without_candidate -- "${missing[@]}") ]]; then
    run "read the package lists" apt-update apt_update as_root
  fi
  if [[ -n $(without_candidate -- "${missing[@]}") ]]; then
    private_lists
    options=("${private_options[@]}")
    local absent
    absent=$(without_candidate "${options[@]}" -- "${missing[@]}")
    [[ -z $absent ]] || die "no package for: ${absent//$'\n'/ } (is this Debian 12? is the network there?)"
  fi
  install_packages "${missing[@]}" && return
  # Old lists name files that the mirror has replaced: read them again, once.
  if ((${#options[@]})); then
    rm -f "$apt_ready"
    private_lists
  else
    run "read the package lists" apt-update apt_update as_root
  fi
  install_packages "${missing[@]}" || die "apt could not install: ${missing[*]}"
}

# Uses `options` of its caller.
install_packages() {
  run "install ${#} packages" apt-install as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get "${apt_options[@]}" "${options[@]}" install -y "$@"
}
