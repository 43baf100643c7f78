// attach refuses a wrong value of a setting before it connects to the process, in record's words; an option that only the tree has is taken.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: %exits 2 %nophook attach 1 -S max_graph_depth=257 2>&1 | FileCheck %s --check-prefix=DEPTH
// RUN: %exits 2 %nophook attach 1 -S trace_clock=tsc 2>&1 | FileCheck %s --check-prefix=CLOCK
// RUN: %exits 2 %nophook attach 1 -S buffer_mode=keep 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/attach_values.py %nophook %lib/libnophook.so %t %t.data
// DEPTH: nophook: attach: --set max_graph_depth=257: a depth is at most 256; 0 is no limit
// CLOCK: nophook: attach: --set trace_clock=tsc: the clocks are x86-tsc, mono
// MODE: nophook: attach: --set buffer_mode=keep: the modes are drop, overwrite and wait:MS
