// start, top and attach mean the functions of a running process by the names that record means them by, in one whose demangler the runtime does not see, too; a name that no function has is refused.
// RUN: %traced_cxx -static-libstdc++ %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/typed_names.py %nophook %lib/libnophook.so %t %t.data
#include <cstdio>
#include <string>
namespace app {
[[gnu::noinline]] std::string make_name(int n) { return std::string(1, (char)n); }
struct Vec {
  [[gnu::noinline]] int operator*(int by) { asm volatile("" : "+r"(by)); return by; }
  [[gnu::noinline]] int operator*=(int by) { asm volatile("" : "+r"(by)); return by; }
};
}
int main() {
  app::Vec v;
  char line[80];
  while (fgets(line, sizeof line, stdin))
    printf("%zu\n", app::make_name(3).size() + (v * 3 + (v *= 2) - 5)), fflush(stdout);
}
