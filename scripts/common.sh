# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The functions that the verbs share: messages, and running a long command.
#
# A person wants one line that moves; a log wants plain lines, not thousands of them; and the search for a fault needs
# everything. So the whole output goes to build/log/, the last line of it to the terminal (rewritten in place), and
# without a terminal a plain line now and then. All of this is stderr: stdout holds only the result of a verb.
#
# Sourced with the tree's root as the current directory.

root=$PWD
log_dir=$root/build/log
mkdir -p "$log_dir"
export LC_ALL=C.UTF-8

# Seconds between two plain lines when there is no terminal.
quiet_seconds=20

say() { printf '%s\n' "$*" >&2; }

die() {
  say "do: $*"
  exit 1
}

# Reads a command's output and shows the progress.
show_progress() {
  local label=$1 line last=$SECONDS width
  width=$(tput cols 2>/dev/null || echo 80)
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ -t 2 ]]; then
      line="$label: ${line//[$'\t\r\e']/ }"
      printf '\r\033[K%s' "${line:0:width-1}" >&2
    elif ((SECONDS - last >= quiet_seconds)); then
      say "  $label: ${line:0:120}"
      last=$SECONDS
    fi
  done
}

# run LABEL LOG COMMAND...: runs the command behind a progress line, its output in
# build/log/LOG.log; when it fails, shows the end of that and returns its status.
run() {
  local label=$1 log=$log_dir/$2.log start=$SECONDS status=0
  shift 2
  [[ -t 2 ]] || say "$label ..."
  "$@" </dev/null 2>&1 | tee "$log" | show_progress "$label" || status=$?
  [[ -t 2 ]] && printf '\r\033[K' >&2
  if ((status)); then
    tail -n 40 "$log" >&2
    say "$label: failed (status $status), all of it in ${log#"$root"/}"
  else
    say "$label: done, $((SECONDS - start)) s"
  fi
  return "$status"
}

# The CPUs that the tree is built for beside this machine's: presets of CMakePresets.json, with Debian's name and a name
# for people.
declare -A target_debian=([aarch64]=arm64) target_name=([aarch64]=AArch64)

# need_target VERB TARGET
need_target() { [[ -n ${target_name[${2:-none}]:-} ]] || die "$1 --target: there is ${!target_name[*]}"; }

# Runs a command as root: directly, or through sudo.
as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "needs root for: $* (no sudo here: run it as root)"
  fi
}

# Configures and builds one preset: build_tree PRESET FOLDER LABEL [TARGET...]. Configuring
# takes a second, and sees what ninja cannot: folders that are new.
build_tree() {
  local preset=$1 folder=$2 label=$3
  shift 3
  run "configure ($label)" "configure-$preset" cmake --preset "$preset"
  run "build ($label)" "build-$preset" ninja -C "$folder" "$@"
}
