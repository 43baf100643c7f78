// top shows names as report does: whole in a pipe, short on a terminal, or as --names wants; a terminal's lines leave out template arguments, never the function's own name.
// RUN: %traced_cxx -O1 %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/top_names.py %nophook %lib/libnophook.so %t
#include <cstdio>
#include <string>
template <class T> struct Store {
  T value;
  [[gnu::noinline]] const T &get(int n) {
    asm volatile("" : "+r"(n));
    return value;
  }
};
int main() {
  Store<std::string> store;
  char line[80];
  while (fgets(line, sizeof line, stdin))
    printf("%zu\n", store.get(1).size()), fflush(stdout);
}
