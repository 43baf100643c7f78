# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# as_nobody.sh SCRIPT: runs it as the user nobody, in a folder of this user with bin, lib and program in
# it, and with a /dev/fuse that is for all, as udev makes it. By root, in a mount namespace of its
# own, with which all of it goes. PREPARE: what root does before.
set -e
mount -t tmpfs -o mode=755 none /mnt
mknod -m 666 /mnt/fuse c 10 229
mount --bind /mnt/fuse /dev/fuse
mkdir /mnt/home /mnt/home/bin /mnt/home/lib
cd /mnt/home
mount --bind "$(dirname "$NOPHOOK_COMMAND")" bin
mount --bind "$LIB" lib
cp "$PROGRAM" program
cp "$1" script
chown nobody . script program
eval "$PREPARE"
exec setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME=$PWD XDG_RUNTIME_DIR=$PWD TMPDIR=$PWD sh -e script
