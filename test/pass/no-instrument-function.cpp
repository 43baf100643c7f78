// no_instrument_function and patchable_function_entry(0) keep functions out, wherever declared.
// RUN: %clangxx -O0 %instrument -S -emit-llvm %s -o - | FileCheck %s
#define NOTRACE __attribute__((no_instrument_function))

// CHECK-DAG: define {{.*}}@_Z5quietv() #{{[0-9]+}} {
NOTRACE void quiet() {}
// CHECK-DAG: define {{.*}}@_Z4zerov() #{{[0-9]+}} {
__attribute__((patchable_function_entry(0))) void zero() {}
// CHECK-DAG: define {{.*}}@_ZN2ns6nestedEv() #{{[0-9]+}} {
namespace ns { NOTRACE void nested() {} }
// CHECK-DAG: define {{.*}}@c_quiet() #{{[0-9]+}} {
extern "C" { NOTRACE void c_quiet() {} }
// CHECK-DAG: define {{.*}}@_ZN6Struct5quietEv({{.*}}) #{{[0-9]+}} comdat align 2 {
struct Struct { NOTRACE void quiet() {} void loud() {} };
// CHECK-DAG: define {{.*}}@_ZN8TemplateIiE5quietEv({{.*}}) #{{[0-9]+}} comdat align 2 {
template <class T> struct Template { NOTRACE void quiet() {} };
// CHECK-DAG: define {{.*}}@_Z8functionIiEvv() #{{[0-9]+}} comdat {
template <class T> NOTRACE void function() {}
// CHECK-DAG: define {{.*}}@_ZN6Struct4loudEv({{.*}}) #{{[0-9]+}} comdat align 2 !pcsections
// CHECK-DAG: define {{.*}}@_Z3usev() #{{[0-9]+}} !pcsections
void use() { Struct().quiet(); Struct().loud(); Template<int>().quiet(); function<int>(); }
