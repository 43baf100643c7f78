// The plugin records what an object knows of functions that it calls elsewhere: how each can be
// called through, whether its address is taken, and its type.
// RUN: %clang %instrument -O2 -S -emit-llvm %s -o - | FileCheck %s
// Without descriptors there are no records, nor in an object for an LTO link.
// RUN: %clang %instrument %option-descriptors=off -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clang %instrument -O2 -flto -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: __nophook_import
struct big { long words[5]; };
long plain(long n);
int variadic(const char *text, ...);
long on_stack(struct big value);
int returns_twice(void *) __attribute__((returns_twice));
_Noreturn void never_returns(void);
void taken(void);
long unused(long n);
long called_as_another(int n);
__attribute__((visibility("hidden"))) long hidden(void);
static long own(void) { return hidden(); }
typedef long another(long, long);

void *volatile address;
// call: version 2 in the upper half; how (1 through, 2 copy) or reason << 2; copied bytes / 8 << 6
// CHECK-DAG: [[PLAIN:@nophook.str[.0-9]*]] = private unnamed_addr constant [6 x i8] c"plain\00"
// CHECK-DAG: @__nophook_import.{{.*}} = linkonce_odr hidden constant [5 x i32] [i32 50331668, {{.*}}[[PLAIN]]{{.*}}, i32 131073, i32 {{-?[0-9]+}}, i32 1], section "__ftrace_proto", comdat
// CHECK-DAG: [[VARIADIC:@nophook.str[.0-9]*]] = private unnamed_addr constant [9 x i8] c"variadic\00"
// CHECK-DAG: [i32 50331668, {{.*}}[[VARIADIC]]{{.*}}, i32 131076, i32 {{-?[0-9]+}}, i32 1]
// CHECK-DAG: [[STACK:@nophook.str[.0-9]*]] = private unnamed_addr constant [9 x i8] c"on_stack\00"
// CHECK-DAG: [i32 50331668, {{.*}}[[STACK]]{{.*}}, i32 131394, i32 {{-?[0-9]+}}, i32 1]
// CHECK-DAG: [[TWICE:@nophook.str[.0-9]*]] = private unnamed_addr constant [14 x i8] c"returns_twice\00"
// CHECK-DAG: [i32 50331668, {{.*}}[[TWICE]]{{.*}}, i32 131084, i32 {{-?[0-9]+}}, i32 1]
// CHECK-DAG: [[TAKEN:@nophook.str[.0-9]*]] = private unnamed_addr constant [6 x i8] c"taken\00"
// CHECK-DAG: [i32 50331668, {{.*}}[[TAKEN]]{{.*}}, i32 131073, i32 {{-?[0-9]+}}, i32 3]
// CHECK-DAG: [[AS:@nophook.str[.0-9]*]] = private unnamed_addr constant [18 x i8] c"called_as_another\00"
// CHECK-DAG: [i32 50331668, {{.*}}[[AS]]{{.*}}, i32 131092, i32 0, i32 {{[13]}}]
// CHECK-NOT: c"unused\00"
// CHECK-NOT: c"hidden\00"
// CHECK-NOT: c"own\00"
long caller(long n) {
  struct big value = {{n, n, n, n, n}};
  if (returns_twice(&value))
    never_returns();
  address = (void *)taken;
  taken();
  variadic("", n);
  return plain(n) + on_stack(value) + own() + ((another *)(void *)called_as_another)(n, n);
}
