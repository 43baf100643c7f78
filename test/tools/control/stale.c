// A process that is killed leaves its socket, which does no harm: a client that names the process gets an error, a process that has its number later is not taken for it and serves in its place, and any client removes it.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/stale.py %nophook %lib/libnophook.so %t
