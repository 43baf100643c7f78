// No client sees half of another client's edit: not before it is closed, not while several write different lists again and again.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/whole_edits.py %nophook %lib/libnophook.so %t
