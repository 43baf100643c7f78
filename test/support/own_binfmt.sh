#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# own_binfmt.sh aarch64|none COMMAND...: runs a command where programs for AArch64 are executed by qemu, or
# cannot be. The kernel gives each user namespace a list of emulators of its own (Linux 6.7).
set -e
if [ "$1" != inside ]; then
  exec unshare -rm "$0" inside "$@"
fi
emulator=$2
shift 2
list=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc none $list
if [ "$emulator" = aarch64 ]; then
  # ELF, 64 bits, ET_EXEC or ET_DYN, EM_AARCH64; P: argv[0] remains what it is.
  magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  printf %s ":aarch64:M::$magic:$mask:$(command -v qemu-aarch64):P" >$list/register
  export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
fi
exec "$@"
