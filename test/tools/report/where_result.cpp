// --where chooses calls by their results, too: numbers, texts and enumerators, of leaves, of calls with calls in them and of recursive ones, together with arguments; a result that does not exist or was not recorded is refused or said.
// RUN: %traced_cxx %s -o %t && %nophook record --args --retval -o %t.data -- %t && %nophook record --args -o %t.bare -- %t
// RUN: %nophook report --where 'parse.return < 0' %t.data | FileCheck %s --check-prefix=FAILED --implicit-check-not=parse
// RUN: %nophook report --where 'parse.return<0' --by function --sort function --fields hits %t.data | FileCheck %s --check-prefix=HITS --match-full-lines
// RUN: %nophook report --where 'leaf.return == 30' %t.data | FileCheck %s --check-prefix=LEAF --implicit-check-not=parse --implicit-check-not='leaf(n=1'
// RUN: %nophook report --where 'parse.return < 0' --where 'parse.len > 10' --json %t.data | FileCheck %s --check-prefix=BOTH --implicit-check-not='"3"'
//
// RUN: %nophook report --where 'name_of.return == two' --where 'kind_of.return == kHot' --by function --fields hits --sort function %t.data | FileCheck %s --check-prefix=TEXT --match-full-lines
// RUN: %nophook graph --min-percent 0 --where 'deeper.return == 102' %t.data | FileCheck %s --check-prefix=GRAPH --implicit-check-not=main
// RUN: %nophook export --format folded --where 'parse.return < 0' %t.data | FileCheck %s --check-prefix=FOLDED --implicit-check-not=main
//
// RUN: %exits 1 %nophook report --where 'thrower.return == 1' %t.data 2>&1 | FileCheck %s --check-prefix=THROWN
// RUN: %exits 1 %nophook report --where 'parse.return < -100' %t.data 2>&1 | FileCheck %s --check-prefix=NEVER
// RUN: %exits 1 %nophook report --where 'parse.return < 0' %t.bare 2>&1 | FileCheck %s --check-prefix=BARE
// RUN: %exits 2 %nophook report --where 'nothing.return < 0' %t.data 2>&1 | FileCheck %s --check-prefix=VOID
// RUN: %exits 2 %nophook report --where 'parse.return < many' %t.data 2>&1 | FileCheck %s --check-prefix=NUMBER
#define SEEN __attribute__((noinline))
SEEN int leaf(int n) {
  asm volatile("" : "+r"(n));
  return n * 10;
}
SEEN int parse(int len) {
  return leaf(len) > 20 ? -len : len;
}
SEEN int deeper(int n) {
  int below = n ? deeper(n - 1) : 100;
  asm volatile("" : "+r"(below));
  return below + 1;
}
SEEN const char *name_of(int n) {
  asm volatile("" : "+r"(n));
  return n == 2 ? "two" : "other";
}
enum Kind { kCold, kHot };
SEEN Kind kind_of(int n) {
  asm volatile("" : "+r"(n));
  return n == 2 ? kHot : kCold;
}
SEEN void nothing() {
  asm volatile("");
}
SEEN int thrower(int n) {
  asm volatile("" : "+r"(n));
  if (n)
    throw 1;
  return 0;
}
int main() {
  int sum = parse(1) + parse(3) + parse(2) + parse(40) + leaf(3) + deeper(3);
  for (int n = 1; n < 4; n++)
    sum += name_of(n)[0] + kind_of(n);
  nothing();
  try {
    thrower(0), thrower(1);
  } catch (int) {
  }
  return sum == 0;
}
// FAILED: | parse(len=3) {
// FAILED-NEXT: |   leaf(n=3); /* ret=30 */
// FAILED-NEXT: | } /* parse ret=-3 */
// FAILED-NEXT: | parse(len=40) {
// FAILED-NEXT: |   leaf(n=40); /* ret=400 */
// FAILED-NEXT: | } /* parse ret=-40 */
// HITS: {{ +Hits  Function}}
// HITS-NEXT: {{ +2  leaf}}
// HITS-NEXT: {{ +2  parse}}
// HITS-NOT: {{.}}
// LEAF: | leaf(n=3); /* ret=30 */
// LEAF-NEXT: | leaf(n=3); /* ret=30 */
// BOTH: "function":"parse",{{.*}}"value":"40"
// TEXT: {{ +Hits  Function}}
// TEXT-NEXT: {{ +1  kind_of}}
// TEXT-NEXT: {{ +1  name_of}}
// TEXT-NOT: {{.}}
// GRAPH: 1 deeper
// GRAPH-NEXT: {{^}} {{.*}}  1    deeper
// GRAPH-NOT: deeper
// FOLDED: parse {{[0-9]+}}
// FOLDED-NEXT: parse;leaf {{[0-9]+}}
// THROWN: nophook: {{.*}}no call with 'thrower.return == 1' was recorded
// NEVER: nophook: {{.*}}no call with 'parse.return < -100' was recorded
// BARE: nophook: {{.*}}.bare: 'parse.return < 0' cannot be judged: the calls were recorded without results (nophook record --retval)
// VOID: nophook: report: --where: 'nothing' returns nothing
// NUMBER: nophook: report: --where: 'parse' returns int: compare it with a number
