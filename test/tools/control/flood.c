// 100,000 messages that are wrong, from clients that never read the answers, cost the program none of its calls: each is recorded.
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/flood.py %nophook %lib/libnophook.so %t
