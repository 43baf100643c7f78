// C: parameters have the names and types of the source, and the registers of the ABI.
// RUN: %describe_cc -O2 %s -o %t && %nophook list --args %t 2>/dev/null | FileCheck %s
// RUN: %describe_cc -O0 %s -o %t && %nophook list --args %t 2>/dev/null | FileCheck %s
// RUN: %nophook list --args --json %t | FileCheck %s --check-prefix=JSON
#define KEEP __attribute__((noinline, used))
typedef unsigned long Count;
struct point { long x; double y; };
enum color { kRed, kBlue };
// CHECK: Count add(Count a, const char *text, int (*callback)(long), struct point where)
// JSON: "function":"add",{{.*}}"convention":"C","result":{"type":"Count","kind":"unsigned","bytes":8,"place":"rax"},"parameters":[
// JSON-SAME: {"name":"a","type":"Count","kind":"unsigned","bytes":8,"place":"rdi"},{"name":"text","type":"const char *","kind":"C string","bytes":8,"place":"rsi"},
// JSON-SAME: {"name":"callback","type":"int (*)(long)","kind":"pointer","bytes":8,"place":"rdx"},{"name":"where","type":"struct point","kind":"struct","bytes":16,"place":"rcx:xmm0"}
KEEP Count add(Count a, const char *text, int (*callback)(long), struct point where) { return a + *text + callback(1) + (Count)where.x; }
// CHECK: enum color big(struct point *to, long unused, struct point *many, float half)
KEEP enum color big(struct point *to, long unused, struct point many[3], float half) { return to->x > many->x + half; }
// CHECK: void last(int first, ...)
KEEP void last(int first, ...) { __asm__ volatile("" : : "r"(first)); }
int main(void) { return 0; }
