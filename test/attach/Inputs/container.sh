#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# container.sh KIND PROGRAM LIB FOLDER ARGUMENTS...: runs the program in namespaces of its own. LIB is the folder with the
# runtime, which the program does not see in a mount namespace of its own. FOLDER is one that both sides see.
kind=$1 program=$2 lib=$3 folder=$4
shift 4
root=''
test "$(id -u)" = 0 || root=r # an ordinary user needs a user namespace for the others
case $kind in
mount)
  exec unshare -m$root sh -ec 'mount -t tmpfs none "$0"; mount -t tmpfs none /dev/shm; exec "$@"' "$lib" "$program" "$@"
  ;;
pid) exec unshare -pf$root --mount-proc "$program" "$@" ;;
user) exec unshare -Ur "$program" "$@" ;;
all) # as container engines do: another root
  exec unshare -Urmpf sh -ec 'root=$0/root
    mkdir -p "$root"
    mount -t tmpfs none "$root"
    cd "$root"
    mkdir -p usr lib lib64 dev/shm proc tmp old "./$0"
    for shared in /usr /lib /lib64 "$0"; do mount --rbind "$shared" ".$shared"; done
    mount -t tmpfs none dev/shm
    mount -t proc none proc
    pivot_root . old
    umount -l old
    cd /
    exec "$@"' "$folder" "$program" "$@"
  ;;
esac
