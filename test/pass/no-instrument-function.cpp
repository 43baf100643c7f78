// no_instrument_function and patchable_function_entry(0) keep functions out, wherever declared.
// RUN: %clangxx -O0 %instrument -S -emit-llvm %s -o %t.ll
// RUN: grep '^define' %t.ll | sed 's/dso_local //; s/(.*!pcsections.*/ traced/; s/(.*/ untraced/; s/.*@//' | sort | FileCheck %s
// RUN: %clangxx -O1 -fpass-plugin=%plugin -DNOTRACE= %s -S -o - | FileCheck %s --check-prefix=NEVER
#ifndef NOTRACE
#define NOTRACE __attribute__((no_instrument_function))
#endif
// CHECK-NOT: quiet{{.*}} traced
// CHECK-COUNT-15: quiet{{.*}} untraced
// CHECK-NOT: quiet
NOTRACE void quiet() {}
__attribute__((patchable_function_entry(0))) void quiet_zero() {}
NOTRACE void quiet_earlier();
void quiet_earlier() {}
NOTRACE static void quiet_static() {}
namespace ns { inline namespace inner { NOTRACE void quiet() {} } }
extern "C" { NOTRACE void c_quiet() {} }
template <class T> NOTRACE void quiet_function() {}
struct Struct {
  NOTRACE void quiet() {}
  NOTRACE void quiet_outside();
  NOTRACE friend void quiet_friend(Struct) {}
  template <class T> NOTRACE void quiet_member() {}
  void loud() {}
};
void Struct::quiet_outside() {}
template <class T> struct Template { NOTRACE void quiet() {} NOTRACE void quiet_later(); };
template <class T> void Template<T>::quiet_later() {}
template struct Template<char>;
// NEVER-LABEL: {{^}}_Z5neverv:
// NEVER-NOT: nopl
// NEVER: retq
__attribute__((xray_never_instrument)) void never() {}
void use() {
  struct Local { NOTRACE void quiet_local() {} };
  Local().quiet_local();
  Struct().quiet(); quiet_friend(Struct()); Struct().quiet_member<int>();
  Template<int>().quiet(); quiet_function<int>(); quiet_static(); Struct().loud();
}
