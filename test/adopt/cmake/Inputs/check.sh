#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# check.sh FOLDER NOPHOOK: what the consumer's targets came to.
cd "$1" || exit 1
for name in main libshared.so bystander linked static; do
  echo "$name:"
  "$2" list "$name" 2>&1 | sed -E 's/^[0-9a-f]{16} *//' | sort -f
done
for name in main bystander linked static; do
  "./$name" && echo "$name runs"
done
"$2" record -p function_graph -o data -- ./main 2>&1 | sed -n '/ events\? of /s/,.*//p'
"$2" report data | grep -o '[a-z_]*()'
"$2" record -p function -o data -- ./static 2>&1 | sed -n '/ events\? of /s/,.*//p'
echo "runtime needed: $(readelf -d linked | grep -c 'NEEDED.*libnophook')"
echo "relocations packed: $(readelf -d main | grep -c '(RELRSZ)')"
exit 0

# CHECK:      main:
# CHECK-NEXT: 3 functions:
# CHECK-NEXT: call-through in_fixed
# CHECK-NEXT: call-through in_objects
# CHECK-NEXT: call-through main
# CHECK-NEXT: libshared.so:
# CHECK-NEXT: 1 function:
# CHECK-NEXT: call-through in_shared
# CHECK-NEXT: bystander:
# CHECK-NEXT: 1 function:
# CHECK-NEXT: call-through in_fixed
# CHECK-NEXT: linked:
# CHECK-NEXT: 1 function:
# CHECK-NEXT: call-through main
# CHECK-NEXT: static:
# CHECK-NEXT: 1 function:
# CHECK-NEXT: call-through main
# CHECK-NEXT: main runs
# CHECK-NEXT: bystander runs
# CHECK-NEXT: linked runs
# CHECK-NEXT: static runs
# CHECK-NEXT: nophook: 8 events of 4 functions
# CHECK-NEXT: main()
# CHECK-NEXT: in_shared()
# CHECK-NEXT: in_fixed()
# CHECK-NEXT: in_objects()
# CHECK-NEXT: nophook: 1 event of 1 function
# CHECK-NEXT: runtime needed: 1
# CHECK-NEXT: relocations packed: 1
