// -l and -n choose functions by globs, also by C++ names with spaces and commas in them.
// RUN: %traced_cxx %s -o %t
// RUN: %nophook record -o %t.data -l "pick_*" -l main -n "*_not" -- %t
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=NAMES --implicit-check-not=skip
// RUN: %nophook record -o %t.data -l "ns::two(int, char const*)" -- %t
// RUN: %nophook report --top %t.data | FileCheck %s --check-prefix=CXX --implicit-check-not="main("
// NAMES-DAG: 1 main
// NAMES-DAG: 1 pick_me
// CXX: 1 ns::two
namespace ns {
[[gnu::noinline]] int two(int n, const char *) { asm volatile("" : "+r"(n)); return n; }
}
extern "C" [[gnu::noinline]] int pick_me(int n) { asm volatile("" : "+r"(n)); return n; }
extern "C" [[gnu::noinline]] int pick_skip_not(int n) { asm volatile("" : "+r"(n)); return n; }
extern "C" [[gnu::noinline]] int skip(int n) { asm volatile("" : "+r"(n)); return n; }
int main() { return ns::two(0, "") + pick_me(0) + pick_skip_not(0) + skip(0); }
