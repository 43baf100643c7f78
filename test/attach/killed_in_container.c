// If attach is killed while it passes the library to a process that does not see it, the process goes on, and the next attach works.
// REQUIRES: ptrace, strace, namespaces
// RUN: %traced_cc %S/calls.c -o %t && rm -rf %t.run && mkdir %t.run
// RUN: %python %inputs/killed.py %nophook "%inputs/container.sh mount %t %lib %t.run" %t.run nanosleep
