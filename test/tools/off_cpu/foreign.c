// A program that uses its threads' rseq area itself keeps its times exact as long as it does so seldom. If it does at each call, the thread
// says once that its time is unknown from there on, and goes on without.
// REQUIRES: rseq-shows-sleep
// RUN: %traced_cc %s -o %t && %nophook record -p function_graph --off-cpu -o %t.data %t
// RUN: %nophook report %t.data -O nofuncgraph-cpu > %t.text && FileCheck %s < %t.text
// RUN: grep -c 'seldom()' %t.text | grep -x 100
// RUN: grep -c 'off_cpu_unknown' %t.text | grep -x 1
// CHECK: sleeps() {
// CHECK: /* off_cpu: duration={{[0-9]+}}.{{[0-9]+}} us */
// CHECK: often();
// CHECK: /* off_cpu_unknown: reason=the program uses rseq, too */
// CHECK: often();
// CHECK: late();
#include <stdint.h>
#include <stddef.h>
#include <unistd.h>

#define TRACED __attribute__((noinline))
extern const ptrdiff_t __rseq_offset;

#if defined(__x86_64__)
#define SIGNATURE "0x53053053"
#else
#define SIGNATURE "0xd428bc00"
#endif
extern const char section[], handler[];
__asm__(".pushsection .text\n.long " SIGNATURE "\nhandler: .long " SIGNATURE "\nsection: .long " SIGNATURE "\n.popsection");
struct __attribute__((aligned(32))) critical { uint32_t version, flags; uint64_t start, bytes, abort; };
static struct critical own;

static void use_rseq(void) {
  *(volatile uint64_t *)((char *)__builtin_thread_pointer() + __rseq_offset + 8) = (uint64_t)&own;
}

TRACED static void seldom(void) { __asm__ volatile(""); }
TRACED static void often(void) { __asm__ volatile("nop"); }
TRACED static void late(void) { usleep(1000); }
TRACED static void sleeps(void) {
  use_rseq();
  usleep(1000);
}

int main(void) {
  own = (struct critical){0, 0, (uint64_t)section, 1, (uint64_t)handler};
  for (int i = 0; i < 100; i++)
    seldom();
  for (int i = 0; i < 10; i++)
    sleeps();
  for (int i = 0; i < 1000; i++) {
    use_rseq();
    often();
  }
  late();
}
