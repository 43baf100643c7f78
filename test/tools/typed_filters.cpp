// The names that a user may type choose functions for record and start, too: without scopes, with tags, with blanks and commas, operators; also in programs whose demangler the runtime does not see.
// RUN: %traced_cxx %s -o %t && %nophook list %t | FileCheck %s --check-prefix=LIST
// RUN: %traced_cxx -static-libstdc++ %s -o %t.static
// RUN: %python %inputs/each_name.py %nophook %t %t.static -- 'make_name' 'app::make_name' 'app::make_name[abi:cxx11]' 'app::make_name[abi:cxx11](int)' '_ZN3app9make_nameB5cxx11Ei' = 'app::make_name[abi:cxx11]'
// RUN: %python %inputs/each_name.py %nophook %t %t.static -- 'two' 'ns::two' 'ns::two(int, char const*)' '*two*' 'two(int, char const*)' = 'ns::two'
// RUN: %python %inputs/each_name.py %nophook %t %t.static -- 'app::Vec::operator*' 'operator*' 'app::Vec::operator*(int)' = 'app::Vec::operator*'
// RUN: %python %inputs/each_name.py %nophook %t %t.static -- 'hidden' '(anonymous namespace)::hidden' = '(anonymous namespace)::hidden'
// RUN: %python %inputs/each_name.py %nophook %t %t.static -- 'pair<int, long>' 'ns::pair<int, long>' = 'ns::pair<int, long>'
// RUN: %python %inputs/each_name.py %nophook %t %t.static -- 'pair' 'ns::pair' = 'ns::pair<int, long>'
// LIST: app::make_name[abi:cxx11](int)
#include <string>
#define SEEN [[gnu::noinline]]
namespace ns {
SEEN int two(int n, const char *) { asm volatile("" : "+r"(n)); return n; }
template <class A, class B> SEEN int pair(A a, B b) { asm volatile("" : "+r"(a)); return a + b; }
}
namespace app {
SEEN std::string make_name(int n) { return std::string(1, (char)n); }
struct Vec {
  int x;
  SEEN int operator*(int by) { asm volatile("" : "+r"(by)); return x * by; }
  SEEN int operator*=(int by) { asm volatile("" : "+r"(by)); return x *= by; }
};
}
namespace {
SEEN int hidden(int n) { asm volatile("" : "+r"(n)); return n; }
}
int main() { app::Vec v{2}; return app::make_name(3).size() + v * 3 + (v *= 2) + hidden(1) + ns::two(1, "") + ns::pair(1, 2L) & 0; }
