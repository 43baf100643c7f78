// If attach is killed at any step, the program goes on: its thread ends the step by itself, and comes back with all registers. The next attach works, also on what the killed one has left.
// REQUIRES: ptrace, strace
// RUN: %traced_cc -O2 -mavx2 %S/busy.c -o %t.busy && %traced_cc %S/calls.c -o %t.calls && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/killed.py %nophook %t.busy %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run MAY_BE_CUT=1 %python %inputs/killed.py %nophook %t.calls %t.run epoll_wait
// RUN: %if long %{ env XDG_RUNTIME_DIR=%t.run %python %inputs/killed.py %nophook %t.calls %t.run nanosleep %}
