// Whatever comes over the control socket, the program runs on and others are served: garbage,
// clients that hang up in the middle, that never read, that take all places; and the program's
// descriptors are its own.
// RUN: %traced_cc %S/serve.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/hostile.py %nophook %lib/libnophook.so %t
