// Another user is not served, even where he can reach the socket; nor is its folder open to him. Root is.
// REQUIRES: root
// RUN: %traced_cc %S/events.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/peers.py %nophook %lib/libnophook.so %t
