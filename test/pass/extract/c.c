// A live patch has those functions of a file that are taken, and what is new. All else, also the old versions
// of these functions, is a weak symbol for the runtime to bind, and constants without a name come along.
// RUN: printf 'take\tfirst\nold\tfirst\tS.first,0\ntake\tsecond\nold\tsecond\tS.second,0\nnew\tadded\nnew\tadded_count\n' > %t.list
// RUN: printf 'old\thelper\tS.helper,0\nold\tcounter\tS.counter,2\nold\texported\tS.exported,0\nold\tfirst.calls\tS.first.calls,0\nold\tother\tS.other,0\nold\tper_thread\tS.per_thread,0\nold\tunused\tS.unused,0\n' >> %t.list
// RUN: %clang -O1 -fPIE -fno-inline %instrument %option-extract=%t.list -c %s -o %t.o
// RUN: %readelf -s %t.o | FileCheck %s --check-prefix=SYMBOLS
// RUN: %readelf -r %t.o | FileCheck %s --check-prefix=RELOCATIONS
// RUN: %readelf -s %t.o | FileCheck %s --check-prefix=GONE
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES
// SYMBOLS-DAG: FUNC LOCAL DEFAULT {{[0-9]+}} first{{$}}
// SYMBOLS-DAG: FUNC LOCAL DEFAULT {{[0-9]+}} second{{$}}
// SYMBOLS-DAG: FUNC GLOBAL HIDDEN {{[0-9]+}} nophook_klp_new.first{{$}}
// SYMBOLS-DAG: FUNC GLOBAL HIDDEN {{[0-9]+}} nophook_klp_new.second{{$}}
// SYMBOLS-DAG: FUNC GLOBAL HIDDEN {{[0-9]+}} added{{$}}
// SYMBOLS-DAG: OBJECT GLOBAL HIDDEN {{[0-9]+}} added_count{{$}}
// SYMBOLS-DAG: WEAK DEFAULT UND S.helper,0{{$}}
// SYMBOLS-DAG: WEAK DEFAULT UND S.counter,2{{$}}
// SYMBOLS-DAG: TLS WEAK DEFAULT UND S.per_thread,0{{$}}
// SYMBOLS-DAG: GLOBAL DEFAULT UND puts{{$}}
// RELOCATIONS-DAG: R_X86_64_PLT32 {{.*}} S.second,0 - 4
// RELOCATIONS-DAG: R_X86_64_PLT32 {{.*}} S.helper,0 - 4
// RELOCATIONS-DAG: R_X86_64_{{REX_GOTPCRELX|GOTPCREL}} {{.*}} S.counter,2 - 4
// RELOCATIONS-DAG: R_X86_64_{{REX_GOTPCRELX|GOTPCREL}} {{.*}} S.exported,0 - 4
// RELOCATIONS-DAG: R_X86_64_{{REX_GOTPCRELX|GOTPCREL}} {{.*}} S.first.calls,0 - 4
// RELOCATIONS-DAG: R_X86_64_{{REX_GOTPCRELX|GOTPCREL}} {{.*}} S.other,0 - 4
// RELOCATIONS-DAG: R_X86_64_TLSGD {{.*}} S.per_thread,0 - 4
// RELOCATIONS-DAG: R_X86_64_64 {{.*}} S.second,0 + 0
// GONE-NOT: {{(helper|counter|exported|first.calls|other|per_thread)$}}
// GONE-NOT: {{(unused|untouched|start|S.unused,0)$}}
// SITES: sites: added {{(nophook_klp_new[.])?first (nophook_klp_new[.])?second$}}
int puts(const char *text);
static int counter;
int exported = 3;
extern int other;
static _Thread_local int per_thread;
int added_count;
__attribute__((constructor)) static void start(void) { counter = exported; }
static int helper(int n) { return n + counter++; }
int unused(int n) { return helper(n); }
int untouched(int n) { return unused(n) + 1; }
static int second(int n) { return helper(n) + ++per_thread; }
int added(int n) { return n + other + ++added_count; }
static int (*const table[])(int) = {second, added};
int first(int n) {
  static int calls;
  calls++;
  exported += n;
  counter++;
  switch (n) {
  case 0: puts("none"); break;
  case 1: puts("one"); break;
  case 2: puts("many"); break;
  case 3: puts("more"); break;
  }
  return second(n) + table[n & 1](n);
}
