#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.sh FOLDER NOPHOOK RUNTIME: what the consumer's targets came to for AArch64; RUNTIME is the folder
# of libnophook.so for it.
cd "$1" || exit 1
run() {
  qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
}
for name in main libshared.so bystander linked static; do
  echo "$name: $(llvm-readelf -h $name | sed -n 's/ *Machine: *//p')"
  "$2" list --summary "$name"
done
for name in main bystander linked static; do
  run -E "LD_LIBRARY_PATH=$3" "./$name" && echo "$name runs"
done
for name in linked static; do
  rm -rf buffers && mkdir -m 700 buffers
  NOPHOOK="current_tracer=function buffer_dir=$PWD/buffers buffer_size_kb=1024" run -E "LD_LIBRARY_PATH=$3" "./$name"
  "$2" report buffers/*.buf | sed -n 's/.*: \(main\) <-.*/recorded: \1/p'
done
echo "relocations packed: $(llvm-readelf -d main | grep -c '(RELRSZ)')"
exit 0

# CHECK:      main: AArch64
# CHECK-NEXT: 3 functions:
# CHECK-NEXT: libshared.so: AArch64
# CHECK-NEXT: 1 function:
# CHECK-NEXT: bystander: AArch64
# CHECK-NEXT: 1 function:
# CHECK-NEXT: linked: AArch64
# CHECK-NEXT: 1 function:
# CHECK-NEXT: static: AArch64
# CHECK-NEXT: 1 function:
# CHECK-NEXT: main runs
# CHECK-NEXT: bystander runs
# CHECK-NEXT: linked runs
# CHECK-NEXT: static runs
# CHECK-NEXT: recorded: main
# CHECK-NEXT: recorded: main
# CLANG-NEXT: relocations packed: 1
