// set_ftrace_pid, set_ftrace_notrace_pid, function-fork, function_fork and tracing_on mean the same for C++: members, lambdas and templates in threads and children.
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function set_ftrace_pid=$$" exec %t'
// RUN: %show --count %t.buf | FileCheck --check-prefix=PROCESS %s
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function trace_options=function-fork set_ftrace_pid=1,$$" exec %t'
// RUN: %show --count %t.buf | FileCheck --check-prefix=FORK %s
// RUN: %trace -p '' -- /bin/sh -c 'NOPHOOK="$NOPHOOK current_tracer=function_graph set_ftrace_notrace_pid=$$" exec %t'
// RUN: %show --count %t.buf | FileCheck --check-prefix=NOT %s
// RUN: %trace -s function_fork=0 -- %t && %show --count %t.buf | FileCheck --check-prefix=PROCESS %s
// RUN: %trace -s tracing_on=0 -- %t && %show --python 'all(not r.events for b in buffers for r in b.rings)' %t.buf
// RUN: %trace -s 'set_ftrace_filter=*Task*,*Task*parent*:traceoff' -- %t && %show --python 'all(not r.events for b in buffers for r in b.rings)' %t.buf
#include "program.h"
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
struct Task {
  NOINLINE void parent() { KEEP(0); }
  template <class T> NOINLINE void child(T n) { KEEP(n); }
};
UNTRACED int main() {
  Task task;
  task.parent();
  auto lambda = [](int n) __attribute__((noinline)) { KEEP(n); };
  std::thread([&]() __attribute__((no_instrument_function)) { lambda(1); }).join();
  pid_t pid = fork();
  if (!pid) {
    task.child(1.5);
    _exit(0);
  }
  waitpid(pid, nullptr, 0);
  task.parent();
  return failures;
}
// PROCESS-NOT: child
// PROCESS: _ZN4Task6parentEv: 2 {{function|entry}}
// PROCESS: _ZZ4mainENK3$_{{[01]}}clEi: 1 {{function|entry|tail}}
// PROCESS-NOT: child
// FORK: _ZN4Task6parentEv: 2 function
// FORK: _ZZ4mainENK3$_{{[01]}}clEi: 1 function
// FORK: _ZN4Task5childIdEEvT_: 1 function
// NOT-NOT: parent
// NOT-NOT: main
// NOT: _ZN4Task5childIdEEvT_: 1 entry, 1 exit
