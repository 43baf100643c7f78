// --where chooses calls by their arguments: numbers, texts, enumerators, several conditions, inside another filter; in report, graph and export; what the recording does not have is refused with what it has.
// RUN: %traced_cxx %s -o %t && %nophook record --args -o %t.data -- %t && %nophook record -o %t.bare -- %t
// RUN: %nophook report --where 'parse.len > 4096' %t.data | FileCheck %s --check-prefix=LONG --implicit-check-not="len=16" --implicit-check-not=main
// RUN: %nophook report --where 'parse.len>=-5' --where 'parse.name != "two"' --json %t.data | FileCheck %s --check-prefix=BOTH --implicit-check-not='"two"'
// RUN: %nophook report --where 'parse.name == two' --top %t.data | FileCheck %s --check-prefix=TWO
// RUN: %nophook report --where 'app::Store<int>::get.kind == kHot' --where 'app::Store<int>::get.scale < 0.75' %t.data | FileCheck %s --check-prefix=ENUM
// RUN: %nophook report --function main --where 'leaf.n <= 0x1' --depth 1 %t.data | FileCheck %s --check-prefix=INSIDE
// RUN: %nophook graph --min-percent 0 --where 'parse.len == 5000' %t.data | FileCheck %s --check-prefix=GRAPH --implicit-check-not=main
// RUN: %nophook export --format json --where 'parse.len == 5000' %t.data | FileCheck %s --check-prefix=EXPORT --implicit-check-not=main
// RUN: %nophook export --format folded --where 'leaf.n == 1' %t.data | FileCheck %s --check-prefix=FOLDED --implicit-check-not=parse
// RUN: %exits 1 %nophook report --where 'parse.len > 100000' %t.data 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %exits 1 %nophook report --where 'parse.len > 4096' %t.bare 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: %exits 2 %nophook report --where 'prase.len > 4096' %t.data 2>&1 | FileCheck %s --check-prefix=FUNCTION
// RUN: %exits 2 %nophook report --where 'parse.lenght > 4096' %t.data 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: %exits 2 %nophook report --where 'parse.len > many' %t.data 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: %exits 2 %nophook graph --where 'parse.name < 4' %t.data 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: %exits 2 %nophook export --format json --where 'parse.pair == 4' %t.data 2>&1 | FileCheck %s --check-prefix=STRUCT
// RUN: %exits 2 %nophook report --where 'parse > 4096' %t.data 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: %exits 2 %nophook report --where 'main.argc > 1' %t.data 2>&1 | FileCheck %s --check-prefix=NO-ARGUMENTS
// RUN: %exits 2 %nophook export --uprobes --where 'parse.len > 1' %t 2>&1 | FileCheck %s --check-prefix=PROBES
#define SEEN __attribute__((noinline))
struct Pair { int a, b; };
SEEN int leaf(int n) { asm volatile("" : "+r"(n)); return n; }
SEEN int parse(const char *name, int len, Pair pair) { asm volatile("" : : "r"(name)); return leaf(len % 7) + len + pair.a + pair.b; }
namespace app {
enum Kind { kCold, kHot };
template <class T> struct Store { SEEN T get(Kind kind, double scale) { asm volatile("" : : "r"(kind), "x"(scale) : "memory"); return kind; } };
}
int main() {
  app::Store<int> store;
  int sum = parse("one", 16, {1, 2}) + parse("two", 5000, {1, 2}) + parse("three", 6000, {1, 2}) + leaf(1);
  sum += store.get(app::kCold, 0.5) + store.get(app::kHot, 0.5) + store.get(app::kHot, 1.5);
  return sum == 0;
}
// LONG: | parse(name="two", len=5000,
// LONG-NEXT: |   leaf(n=2);
// LONG-NEXT: | }
// LONG-NEXT: | parse(name="three", len=6000,
// LONG-NEXT: |   leaf(n=1);
// LONG-NEXT: | }
// BOTH: "function":"parse","arguments":[{"name":"name","type":"const char *","value":"\"one\""
// BOTH: "function":"parse","arguments":[{"name":"name","type":"const char *","value":"\"three\""
// TWO: Self Self % Total Hits Function
// TWO-DAG: 1 parse
// TWO-DAG: 1 leaf
// ENUM: get({{.*}}kind={{.*}}kHot{{.*}}, scale=0.5
// ENUM-NOT: get(
// INSIDE: | leaf(n=1);
// INSIDE-NEXT: | leaf(n=1);
// INSIDE-NOT: {{.}}
// GRAPH: 1 parse
// GRAPH-NEXT: 1 leaf
// EXPORT: "function":"parse"
// EXPORT: "value":"5000"
// EXPORT: "function":"leaf"
// EXPORT-NOT: "function":"parse","arguments"
// FOLDED: leaf
// NEVER: nophook: {{.*}}.data: no call with 'parse.len > 100000' was recorded
// BARE: nophook: {{.*}}.bare: 'parse.len > 4096' cannot be judged: the calls were recorded without arguments (nophook record --args)
// FUNCTION: nophook: report: --where: the recording has no function 'prase' (the nearest: parse
// ARGUMENT: nophook: report: --where: 'parse' has no argument 'lenght' (it has: len, name, pair)
// NUMBER: nophook: report: --where: 'len' is of type int: compare it with a number
// TEXT: nophook: graph: --where: 'name' is of type const char *: it can be compared by == and !=
// STRUCT: nophook: export: --where: 'pair' is of type Pair, which cannot be compared
// FORM: nophook: report: --where: 'parse > 4096' is not FUNCTION.ARGUMENT OPERATOR VALUE
// NO-ARGUMENTS: nophook: report: --where: 'main' has no arguments
// PROBES: nophook: export: {{.*}}--where{{.*}}
