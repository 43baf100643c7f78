// A process that runs already is recorded from now on, again and again, and has its own settings back
// whether the recording ends by a signal, by time, by a wrong word or by the process's end.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/attach.py %nophook %lib/libnophook.so %t %t.data
