// top shows the functions that are called, as text, as JSON and on a terminal whose size changes, and leaves terminal and process as they were, whether it ends by a key, a signal or the process.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/top.py %nophook %lib/libnophook.so %t
