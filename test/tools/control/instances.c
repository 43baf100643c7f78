// An instance is made, used and removed through the socket, by nophook set and get as well; a client that has a file of it open keeps it, until it hangs up.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/instances.py %nophook %lib/libnophook.so %t
// RUN: %exits 2 %nophook set 1 instances/foo --mkdir --rmdir 2>&1 | FileCheck %s
// CHECK: --mkdir
