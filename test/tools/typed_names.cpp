// A name that a user types means the same to every verb: as linked, shown, or without its scopes; ABI tags are ignored, and a name goes before a glob.
// RUN: %traced_cxx %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report --top --function 'app::make_name' %t.data | FileCheck %s --check-prefix=TAG
// RUN: %nophook report --top --function 'app::make_name[abi:cxx11](int)' %t.data | FileCheck %s --check-prefix=TAG
// RUN: %nophook report --top --function 'Vec::operator*' %t.data | FileCheck %s --check-prefix=TIMES --implicit-check-not='operator*='
// RUN: %nophook report --top --function 'make_name' %t.data | FileCheck %s --check-prefix=TAG
// RUN: %nophook report --top --function 'pick<int>' %t.data | FileCheck %s --check-prefix=PICK
// RUN: %nophook latency 'make_name' %t.data 2>&1 | FileCheck %s --check-prefix=LATENCY
// RUN: %nophook export --uprobes --function 'Vec::operator*' %t | FileCheck %s --check-prefix=PROBE
// RUN: %nophook why 'app::make_name[abi:cxx11](int)' %t | FileCheck %s --check-prefix=WHY
// RUN: %nophook why 'Vec::operator*' %t | FileCheck %s --check-prefix=WHY-TIMES
// TAG: 1 app::make_name
// TIMES: 1 app::Vec::operator*{{$}}
// PICK: 1 app::pick<int>
// LATENCY: app::make_name
// PROBE: p:nophook/app_Vec_operator
// PROBE-NOT: {{^}}p:
// WHY: app::make_name{{.*}}(int): traceable
// WHY-TIMES: app::Vec::operator*(int): traceable
#include <string>
namespace app {
[[gnu::noinline]] std::string make_name(int n) { return std::string(1, (char)n); }
struct Vec {
  int x;
  [[gnu::noinline]] int operator*(int by) { asm volatile("" : "+r"(by)); return x * by; }
  [[gnu::noinline]] int operator*=(int by) { asm volatile("" : "+r"(by)); return x *= by; }
};
template <class T> [[gnu::noinline]] T pick(T a) { asm volatile("" : "+r"(a)); return a; }
}
int main() { app::Vec v{2}; return app::make_name(3).size() + v * 3 + (v *= 2) + app::pick(1) & 0; }
