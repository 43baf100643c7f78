// Names are short for people and whole for programs; a terminal's lines leave out template arguments, never a name.
// RUN: %traced_cxx -O1 %s -o %t && %nophook record -o %t.data -- %t
// RUN: %nophook report %t.data | FileCheck %s --check-prefix=FULL
// RUN: %nophook report --names short %t.data | FileCheck %s --check-prefix=SHORT
// RUN: %nophook report --names linked %t.data | FileCheck %s --check-prefix=LINKED
// RUN: %nophook list --names short %t 2>/dev/null | FileCheck %s --check-prefix=LIST
// RUN: script -qec "stty cols 60; %nophook report --no-pager %t.data" /dev/null | FileCheck %s --check-prefix=NARROW
// RUN: script -qec "stty cols 60; %nophook report --no-pager --names full %t.data" /dev/null | FileCheck %s --check-prefix=CUT
// RUN: script -qec "NOPHOOK_PAGER='sed s/^/paged:/' %nophook report %t.data" /dev/null | FileCheck %s --check-prefix=PAGED
// RUN: script -qec "NOPHOOK_PAGER=/no/such/pager %nophook report %t.data" /dev/null | FileCheck %s --check-prefix=SHORT
// RUN: script -qec "TERM=xterm %nophook report --no-pager %t.data" /dev/null | FileCheck %s --check-prefix=COLOUR
// RUN: script -qec "TERM=xterm %nophook report --top --no-pager %t.data" /dev/null | FileCheck %s --check-prefix=HEAD
// RUN: script -qec "NO_COLOR=1 TERM=xterm %nophook report --no-pager %t.data; TERM=dumb %nophook report --no-pager %t.data; TERM=xterm %nophook report --json %t.data" /dev/null | FileCheck %s --check-prefix=NO-COLOUR
// RUN: env TERM=xterm %nophook report %t.data | FileCheck %s --check-prefix=NO-COLOUR
// RUN: %exits 2 %nophook report --names tiny %t.data 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: %nophook record -l 'Store<std::string>::get' -o %t.one -- %t && %nophook report --top %t.one | FileCheck %s --check-prefix=ONE --implicit-check-not=Lambda
// RUN: %nophook report --function 'Store<std::string>::get' %t.data | FileCheck %s --check-prefix=ONE
#include <string>
template <class T> struct Store {
  T value;
  [[gnu::noinline]] const T &get(int n) { asm volatile("" : "+r"(n)); return value; }
};
int main() {
  Store<std::string> store;
  auto look = [&](int n) __attribute__((noinline)) { return store.get(n).size(); };
  return (int)look(1);
}
// FULL: main::$_0::operator()() {
// FULL: Store<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>>::get();
// SHORT: main::{lambda#1}() {
// SHORT: Store<std::string>::get();
// LINKED: _ZZ4mainENK3$_0clEi() {
// LINKED: _ZN5StoreINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE3getEi();
// LIST-DAG: {{^[0-9a-f]{16}  .*  main::\{lambda#1\}$}}
// LIST-DAG: {{^[0-9a-f]{16}  .*  Store<std::string>::get$}}
// NARROW: Store<std::string>::get();
// CUT: Store<…>::get();
// PAGED: paged:{{.*}}Store<std::string>::get();
// COLOUR: {{.}}[2m# tracer: function_graph{{.}}[0m
// HEAD: {{.}}[1m  {{.*}}Function{{.}}[0m
// NO-COLOUR-NOT: {{.}}[{{[0-9]}}m
// NO-COLOUR: main
// NO-COLOUR-NOT: {{.}}[{{[0-9]}}m
// REFUSED: --names: 'tiny'
// ONE: Store<{{.*}}>::get
