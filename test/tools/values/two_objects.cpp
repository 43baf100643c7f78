// Two objects of g++ that share an inline go through recordmcount: it is listed once and traced with its arguments, from any caller; a truncated object is refused and stays what it is.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: g++ -std=c++20 -O2 -g -pg -mfentry -c %s -o a.o && g++ -std=c++20 -O2 -g -pg -mfentry -DOTHER -c %s -o b.o
// RUN: head -c 2000 a.o > cut.o && cp cut.o kept.o && %exits 1 %recordmcount cut.o 2> err && cmp cut.o kept.o
// RUN: FileCheck %s --check-prefix=CUT < err
// RUN: %recordmcount -q a.o b.o && g++ a.o b.o %tables -o program
// RUN: %nophook list program | FileCheck %s --check-prefix=LIST
// RUN: %nophook record --args --retval -o data -- ./program && %nophook report data | FileCheck %s
template <class T> __attribute__((noipa)) inline T shared(T a, const char *from) {
  __asm__ volatile("" : : "r"(from) : "memory");
  return a + 1;
}
long other(long a);
#ifdef OTHER
long other(long a) { return shared(a, "the other file") * 2; }
#else
int main() { return (int)(shared(1L, "main") + other(20)) & 0; }
#endif
// CUT: cut.o: {{.}}
// LIST-COUNT-1: shared<long>
// LIST-NOT: shared<long>
// CHECK: shared<long>(a=1, from="main"); /* ret=2 */
// CHECK: other(a=20) {
// CHECK: shared<long>(a=20, from="the other file"); /* ret=21 */
// CHECK: } /* other ret=42 */
