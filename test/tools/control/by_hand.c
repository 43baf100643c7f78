// start, stop, show and reset trace a process that runs as trace-cmd's do the kernel; reset leaves every file as it was at first; without a number the only process that serves is meant.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/by_hand.py %nophook %lib/libnophook.so %t
