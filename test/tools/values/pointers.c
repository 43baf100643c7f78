// Bad pointers are shown as addresses and do no harm: nowhere, the kernel's, no permission, a text that runs into the end of memory, memory that another thread takes away during the call; and no handler of SIGSEGV or SIGBUS is set for it.
// RUN: %traced_cc %s -o %t && %nophook record --args -l look -o %t.data -- %t && %nophook report %t.data | FileCheck %s
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

__attribute__((noinline)) void look(const char *text) { __asm__ volatile("" : : "r"(text) : "memory"); }
static char *pages;
static volatile int done;
static void *blink(void *unused) {
  (void)unused;
  while (!done) {
    mprotect(pages, 4096, PROT_NONE);
    mprotect(pages, 4096, PROT_READ);
  }
  return 0;
}
int main(void) {
  pages = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memset(pages, 'a', 4096);
  mprotect(pages + 4096, 4096, PROT_NONE);
  look((const char *)1);
  look((const char *)0xffffffff81000000);
  look((const char *)0x8000000000000000);
  look((const char *)UINTPTR_MAX);
  look(pages + 4096);
  look(pages + 4090);
  memcpy(pages + 4090, "fits!", 6);
  look(pages + 4090);
  pthread_t thread;
  pthread_create(&thread, 0, blink, 0);
  for (int i = 0; i < 20000; i++)
    look(pages + 4090);
  done = 1;
  pthread_join(thread, 0);
  look("the end");
  struct sigaction segv, bus;
  sigaction(SIGSEGV, 0, &segv);
  sigaction(SIGBUS, 0, &bus);
  return segv.sa_handler != SIG_DFL || bus.sa_handler != SIG_DFL;
}
// CHECK: look(text=0x1);
// CHECK-NEXT: look(text=0xffffffff81000000);
// CHECK-NEXT: look(text=0x8000000000000000);
// CHECK-NEXT: look(text=0xffffffffffffffff);
// CHECK-NEXT: look(text=0x{{[0-9a-f]+}}000);
// CHECK-NEXT: look(text=0x{{[0-9a-f]+}}ffa);
// CHECK-NEXT: look(text="fits!");
// CHECK: look(text="the end");
