# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# read_only_root.sh NOPHOOK LIBRARY PROGRAM: traces PROGRAM without a recorder where less and less can be written. In a mount
# namespace: /mnt shows what /tmp and /dev/shm have hidden.
mount --rbind / /mnt
mount -t tmpfs -o mode=1777 none /dev/shm
mount -t tmpfs -o mode=1777 none /tmp
mkdir -m 700 /tmp/own
mount -o remount,ro /tmp
mount -o remount,bind,ro /
unset XDG_RUNTIME_DIR
traced() { env NOPHOOK="log=stderr current_tracer=function $1" LD_PRELOAD="/mnt$library" "/mnt$program"; }
nophook=$1 library=$2 program=$3
echo "root is read-only: $(touch /nophook-test 2>&1)"
traced
"/mnt$nophook" recover --list
mount -o remount,ro /dev/shm
traced
mount -t tmpfs -o mode=700 none /tmp/own
traced buffer_dir=/tmp/own
"/mnt$nophook" recover -o /tmp/own/data /tmp/own
