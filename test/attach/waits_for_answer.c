// While a process does not answer, attach shows on a terminal what it waits for; another command's lock on its settings is no reason to ask it.
// REQUIRES: ptrace, strace
// RUN: rm -rf %t && mkdir -p %t/run && %traced_cc -O2 -mavx2 %S/busy.c -o %t/program
// RUN: env XDG_RUNTIME_DIR=%t/run %python %inputs/waits_for_answer.py %nophook %t/program %t/run
