// A static program with the archive, which serves nobody, is woken: while it allocates, while it sleeps and waits, while it runs, with a signal each millisecond. So is a dynamic one. One without symbols is refused.
// REQUIRES: ptrace
// RUN: rm -rf %t.run && mkdir %t.run
// RUN: %traced_cc -static %S/allocates.c %with_archive -o %t.allocates
// RUN: env XDG_RUNTIME_DIR=%t.run MALLOC_ARENA_MAX=1 %python %inputs/once.py %nophook %t.allocates %t.run %rounds
// RUN: env XDG_RUNTIME_DIR=%t.run MALLOC_ARENA_MAX=1 %python %inputs/rounds.py %nophook %t.allocates %t.run %rounds 3
// RUN: %traced_cc -static %S/calls.c %with_archive -o %t.calls
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t.calls %t.run %rounds epoll_wait nanosleep cond_timedwait
// RUN: %traced_cc -static-pie -fPIE -O2 -mavx2 %S/busy.c %with_archive -o %t.busy
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/once.py %nophook %t.busy %t.run %rounds
// RUN: %traced_cc -static %S/signals.c %with_archive -o %t.signals
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t.signals %t.run %rounds 1000
// RUN: %traced_cc %S/allocates.c %with_archive -o %t.dynamic
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t.dynamic %t.run 2 3
// RUN: llvm-strip-22 %t.signals -o %t.stripped || strip %t.signals -o %t.stripped
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/one_refusal.py %nophook %t.stripped %t.run 1000 "its symbols are stripped"
