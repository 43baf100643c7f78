// In C++, code of a live patch refers to the old type information, tables of virtual functions, guards and
// templates. Templates of the old version that it does not have come along, and constructors do not run.
// RUN: printf 'take\t_Z3runi\nold\t_Z3runi\tS.run\nold\t_ZTI5Error\tS.typeinfo\nold\t_ZTV5Error\tS.vtable\n' > %t.list
// RUN: printf 'old\t_ZZ3runiE6object\tS.object\nold\t_ZGVZ3runiE6object\tS.guard\nold\t_ZN6ObjectC2Ei\tS.constructor\n' >> %t.list
// RUN: printf 'old\t_Z6listedIiEvT_\tS.listed\nold\t_ZN5ErrorD2Ev\tS.destructor\n' >> %t.list
// RUN: %clangxx -O1 -fPIE %instrument %option-extract=%t.list -c %s -o %t.o
// RUN: %readelf -Ss %t.o | FileCheck %s
// RUN: %readelf -r %t.o | FileCheck %s --check-prefix=RELOCATIONS
// CHECK-NOT: init_array
// CHECK-NOT: COMDAT{{.*}}_Z
// CHECK-DAG: FUNC LOCAL DEFAULT {{.*}} _Z3runi
// CHECK-DAG: FUNC GLOBAL HIDDEN {{.*}} nophook_klp_new._Z3runi
// CHECK-DAG: FUNC WEAK HIDDEN {{[0-9]+}} _Z7carriedIiEvT_
// CHECK-DAG: WEAK DEFAULT UND S.typeinfo
// CHECK-DAG: WEAK DEFAULT UND S.vtable
// CHECK-DAG: WEAK DEFAULT UND S.object
// CHECK-DAG: WEAK DEFAULT UND S.guard
// CHECK-DAG: WEAK DEFAULT UND S.constructor
// CHECK-DAG: WEAK DEFAULT UND S.listed
// RELOCATIONS-DAG: R_X86_64_64 {{.*}} S.typeinfo + 0
// RELOCATIONS-DAG: GOTPCREL{{.*}} S.vtable - 4
// RELOCATIONS-DAG: GOTPCREL{{.*}} S.object - 4
// RELOCATIONS-DAG: GOTPCREL{{.*}} S.guard - 4
// RELOCATIONS-DAG: PLT32 {{.*}} S.constructor - 4
// RELOCATIONS-DAG: PLT32 {{.*}} S.listed - 4
// RELOCATIONS-DAG: PLT32 {{.*}} _Z7carriedIiEvT_ - 4
struct Error { int value; Error(int v) : value(v) {} virtual ~Error(); virtual int get(); };
Error::~Error() {}
int Error::get() { return value; }
struct Object { Object(int n); int value; };
__attribute__((noinline)) Object::Object(int n) : value(n) {}
Object global(2);
template <class T> __attribute__((noinline)) void carried(T x) { __asm__ volatile("" : : "r"(x)); }
template <class T> __attribute__((noinline)) void listed(T x) { __asm__ volatile("" : : "r"(x)); if (x) throw Error(x); }
int run(int n) {
  static Object object(n);
  try {
    carried(n);
    listed(n);
  } catch (Error &error) {
    return error.value + object.value;
  }
  throw Error(n);
}
