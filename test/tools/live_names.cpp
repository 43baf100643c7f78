// live --follow shows names as report does: short on a terminal, cut to its width and coloured, whole in a pipe, or as --names wants.
// RUN: %traced_cxx -O1 %s -o %t
// RUN: %nophook live --follow -- %t | FileCheck %s --check-prefix=FULL
// RUN: %nophook live --follow --names short -- %t | FileCheck %s --check-prefix=SHORT
// RUN: %nophook live --follow --names linked -- %t | FileCheck %s --check-prefix=LINKED
// RUN: script -qec "TERM=xterm %nophook live --follow --retval -- %t" /dev/null | FileCheck %s --check-prefix=TERMINAL
// RUN: script -qec "stty cols 60; NO_COLOR=1 %nophook live --follow --names full -- %t" /dev/null | FileCheck %s --check-prefix=CUT
// RUN: script -qec "%nophook live --no-pager -- %t" /dev/null | FileCheck %s --check-prefix=SHORT
// RUN: %exits 2 %nophook live --follow --names tiny -- %t 2>&1 | FileCheck %s --check-prefix=REFUSED
#include <string>
template <class T> struct Store {
  T value;
  [[gnu::noinline]] const T &get(int n) { asm volatile("" : "+r"(n)); return value; }
};
int main() {
  Store<std::string> store;
  return store.get(1).size() != 0;
}
// FULL: Store<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>>::get();
// SHORT: Store<std::string>::get();
// LINKED: _ZN5StoreINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE3getEi();
// TERMINAL: Store<std::string>::get();
// TERMINAL: } {{.}}[2m/* main ret=0 */{{.}}[0m
// CUT: {{[|]}}   Store<…>::get();
// REFUSED: --names: 'tiny'
