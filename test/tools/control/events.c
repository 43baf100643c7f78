// `trace` shows events and keeps them, `trace_pipe` gives each once, to any reader, and writing to
// `trace` clears: as the kernel's files do, of calls whose number is known.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/events.py %nophook %lib/libnophook.so %t
#include <stdio.h>
__attribute__((noinline)) static void tick(void) {
  __asm__ volatile("");
}
__attribute__((noinline)) static void tock(void) {
  tick();
  __asm__ volatile("");
}
int main(void) {
  int count;
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (scanf("%d", &count) == 1) { // so many calls, then an answer
    for (int i = 0; i < count; i++)
      tock();
    puts("done");
  }
  puts("the answer");
}
