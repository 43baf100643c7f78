// attach reports its own events after `top` and a profile; records a process that was paused; and when it is killed, the process has its settings back.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/attach_again.py %nophook %lib/libnophook.so %t %t.data
