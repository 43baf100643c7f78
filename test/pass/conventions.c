// facts= names the functions whose parameters or result the optimizer has changed: a pointer that is only read through, at -O3, what is never used; no others.
// RUN: %clang -O3 %instrument %option-facts=%t.facts -c %s -o %t.o
// RUN: sort %t.facts | FileCheck %s --match-full-lines --implicit-check-not={{.}}
// CHECK: by_value{{	}}convention{{	}}i32 (i32, i32)
// CHECK-NEXT: no_result{{	}}convention{{	}}void (i32)
// CHECK-NEXT: one_of_two{{	}}convention{{	}}i32 (i32)
// CHECK-NEXT: one_word{{	}}convention{{	}}i32 (i32)
// RUN: %clang -O0 %instrument %option-facts=%t.facts -c %s -o %t.o && not grep . %t.facts
#define NOINLINE __attribute__((noinline))
struct Pair { int first, second; };
struct Large { int first; long others[7]; };
extern int sink;
static NOINLINE int by_value(const struct Pair *p) { return p->first + 3 * p->second; }
static NOINLINE int one_of_two(int n, int unused) { return 3 * n + sink; }
static NOINLINE int no_result(int n) { sink += n; return sink; }
static NOINLINE int one_word(struct Large large) { return 3 * large.first + sink; }
static NOINLINE int writes(struct Pair *p) { return p->first++; }
static NOINLINE int as_it_is(int n) { return 5 * n + sink; }
int exported(const struct Pair *p, int unused) { return p->first + sink; }
int use(int n) {
  struct Pair pair = {n, n + 1};
  struct Large large = {n + sink, {sink}};
  no_result(n);
  return by_value(&pair) + one_of_two(n, 1) + one_word(large) + writes(&pair) + as_it_is(n) + pair.first;
}
int use_again(int n) {
  struct Pair pair = {n, n + 2};
  struct Large large = {n, {sink}};
  no_result(n + 1);
  return by_value(&pair) + one_of_two(n, 2) + one_word(large) + writes(&pair) + as_it_is(n + 1) + pair.first;
}
