// If `start` names a function that is not there, also by -n or -g, the process has the settings that it had.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/start_refused.py %nophook %lib/libnophook.so %t
