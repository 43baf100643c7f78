#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# as_nobody.sh ROOT COMMAND...: runs a command of the tree as `nobody`, with a folder of its own that also stands for the word
# OUTPUT. The tree may be below /root, so it is mounted at /mnt for the command.
set -eu
root=$1
shift
folder=$(mktemp -d /tmp/nophook-view.XXXXXX) # the TMPDIR of lit is not for others
trap 'rm -rf "$folder"' EXIT
chown nobody "$folder"
command=$(printf '%s ' "$@" | sed "s|$root/|/mnt/|g; s|OUTPUT|$folder|g")
unshare -m sh -ec "
  mount --bind '$root' /mnt
  export HOME='$folder' TMPDIR='$folder'
  cd /mnt
  exec setpriv --reuid=nobody --regid=nogroup --clear-groups $command"
