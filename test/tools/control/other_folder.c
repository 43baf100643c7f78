// A process that serves in a folder of its own (buffer_dir, XDG_RUNTIME_DIR) is found by its environment, and by --dir where that leads nowhere.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run %t.run/mine %t.run/other %t.run/dir && chmod 700 %t.run %t.run/mine %t.run/other %t.run/dir
// RUN: env XDG_RUNTIME_DIR=%t.run/mine %python %S/Inputs/other_folder.py %nophook %lib/libnophook.so %t %t.run
