// REQUIRES: gdb
// A tool that knows USDT probes, here gdb, stops at entry and return of the chosen functions, and finds function, caller, arguments and result; a call that an exception ends has no return.
// RUN: split-file %s %t.d && %traced_cxx -O1 %t.d/program.cpp -o %t %linked
// RUN: env NOPHOOK="set_usdt_filter=work,throws" gdb -q -nx -batch -x %t.d/script %t 2>&1 | FileCheck --implicit-check-not='{{entry|return}} of' %s
// RUN: %traced_cxx -O1 %t.d/program.cpp -o %t.static %static
// RUN: env NOPHOOK="set_usdt_filter=work,throws" gdb -q -nx -batch -x %t.d/script %t.static 2>&1 | FileCheck --implicit-check-not='{{entry|return}} of' %s
// CHECK: entry of work from main: 1 2 3 4 5 6
// CHECK: entry of throws from work
// CHECK: return of work to main: 21
// CHECK: entry of work from main: 6 5 4 3 2 1
// CHECK: entry of throws from work
// CHECK: return of work to main: 21
// CHECK: exited normally
//--- program.cpp
#include "program.h"
extern "C" NOINLINE void throws() { throw 1; }
extern "C" NOINLINE void aside(long n) { KEEP(n); }
extern "C" NOINLINE long work(long a, long b, long c, long d, long e, long f) {
  aside(a);
  try {
    throws();
  } catch (int) {
  }
  return a + b + c + d + e + f;
}
int main() { return work(1, 2, 3, 4, 5, 6) + work(6, 5, 4, 3, 2, 1) != 42; }
//--- script
set width 0
break main
run
break -probe-stap nophook:function__entry
commands
silent
python
name = lambda n: gdb.execute("info symbol $_probe_arg%d" % n, to_string=True).split()[0]
print("entry of", name(0), "from", name(1) + (": " + " ".join(str(gdb.parse_and_eval("$_probe_arg%d" % n)) for n in range(2, 8)) if name(0) == "work" else ""))
end
continue
end
break -probe-stap nophook:function__return
commands
silent
python
name = lambda n: gdb.execute("info symbol $_probe_arg%d" % n, to_string=True).split()[0]
print("return of", name(0), "to", name(1) + ": " + str(gdb.parse_and_eval("$_probe_arg2")))
end
continue
end
continue
