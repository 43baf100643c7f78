// A library whose note has wrong bounds of its table is left alone, with a line that says so; the program beside it is traced.
// RUN: %traced_cc -O1 -shared -fPIC -DLIBRARY %s -o %t.so
// A bound of the table of distances, then one of the table of addresses, which is empty, is 4 bytes further on.
// RUN: cp %t.so %t.whole.so
// RUN: %python -c "d = bytearray(open('%t.whole.so', 'rb').read()); i = d.index(b'Nophook' + bytes(1)) + 80; d[i:i + 8] = (int.from_bytes(d[i:i + 8], 'little') + 4).to_bytes(8, 'little'); open('%t.so', 'wb').write(d)"
// RUN: %traced_cc -O1 %s -o %t %linked && env NOPHOOK=log=stderr %t %t.so 2> %t.err && FileCheck %s < %t.err
// RUN: %python -c "d = bytearray(open('%t.whole.so', 'rb').read()); i = d.index(b'Nophook' + bytes(1)) + 16; d[i:i + 8] = (int.from_bytes(d[i:i + 8], 'little') + 4).to_bytes(8, 'little'); open('%t.so', 'wb').write(d)"
// RUN: env NOPHOOK=log=stderr %t %t.so 2> %t.err && FileCheck %s < %t.err
// CHECK: damaged_note.c.tmp.so: not traceable: the bounds of its table in the note are damaged
#ifdef LIBRARY
int in_library(int n) { return n + 1; }
#else
#include "ops.h"
#include <dlfcn.h>
NOINLINE static void in_program(void) { KEEP(0); }
UNTRACED int main(int count, char **arguments) {
  static struct Counted counted = COUNTED(0);
  void *library = dlopen(arguments[count - 1], RTLD_NOW);
  int (*in_library)(int) = (int (*)(int))dlsym(library, "in_library");
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  in_program();
  EXPECT_EQ(in_library(1), 2);
  EXPECT_EQ(calls_of(&counted), 1);
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
#endif
