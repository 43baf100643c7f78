// While one command changes the settings of a process for a while, attach and top change none. The lock is held until the settings are restored, also if attach is killed.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/one_at_a_time.py %nophook %lib/libnophook.so %t %t.data
