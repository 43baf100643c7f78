// Why descriptors wait for the LTO link: it moves arguments of a local function to the stack.
// REQUIRES: lld
// RUN: %clang -O2 -flto %instrument -c %s -o %t.bc
// RUN: %clang -O2 -flto %t.bc %tables -fuse-ld=lld -Wl,--load-pass-plugin=%plugin -o %t && %t
// RUN: %python %S/note.py %t | FileCheck %s
// RUN: %clang -O0 %instrument -c %s -o %t.o
// RUN: %clang -O0 %t.o %tables -fuse-ld=lld -o %t.plain
// RUN: %python %S/note.py %t.plain | FileCheck %s --check-prefix=BEFORE

// Eight values out of four pointers: 8 - 6 of them are on the stack.
// CHECK: work{{.*}}: copy 16
// BEFORE: work: through 0
struct Pair { long a, b; };
__attribute__((noinline)) long work(struct Pair *p, struct Pair *q, struct Pair *r, struct Pair *s) {
  return p->a - p->b * 2 + q->a * 3 - q->b * 5 + r->a * 7 - r->b * 11 + s->a * 13 - s->b * 17;
}
volatile long source = 1;
int main(void) {
  struct Pair p = {source, source}, q = {source, source}, r = {source, source}, s = {source, source};
  return work(&p, &q, &r, &s) + work(&s, &r, &q, &p) != -22;
}
