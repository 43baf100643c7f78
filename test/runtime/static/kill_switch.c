// When the kill switch is tripped, static calls return at once from then on; their text is not touched even then.
// RUN: %gcc -DLIBRARY -fPIC -pg -mfentry -c %s -o %t.o && %keep %t.o && %link_kept -Wl,--defsym=nophook_static=1 -shared %t.o -o %t.so
// RUN: %gcc %s -pg -mfentry -c -o %t.main.o && %keep %t.main.o && %link_kept %t.main.o %t.so -o %t %static && %t
int library_work(int a);
#ifdef LIBRARY
int library_work(int a) { return a + 1; }
#else
#include "calls.h"
#include <errno.h>
extern void (*nophook_poke_stop)(int step); // runtime/poke/poke.h
const char *kill_reason(void) __asm__("_ZN7nophook11kill_reasonEv");
enum { kPokeHeads = 1, kPokeClosed = 3 };
static void *victim;
// Another NOP, written by another tool.
UNTRACED static void scribble(int step) {
  if ((step == kPokeHeads || step == kPokeClosed) && !kill_reason())
    memcpy(victim, "\x0f\x1f\x44\x00\x42", 5);
}
UNTRACED int main(void) {
  static struct ftrace_ops both = {.func = count_hit}, late = {.func = count_hit};
  char before[5];
  memcpy(before, (void *)ftrace_location((unsigned long)library_work), 5);
  EXPECT_EQ(before[0], (char)0xe8);
  EXPECT_EQ(register_ftrace_function(&both), 0);
  EXPECT_EQ(library_work(1), 2);
  EXPECT_EQ(one(1), 2);
  EXPECT_EQ(hits, 2);
  victim = (void *)ftrace_location((unsigned long)one);
  nophook_poke_stop = scribble;
  EXPECT_EQ(ftrace_set_notrace(&both, (const unsigned char *)"one", 3, 1), -EIO);
  EXPECT(kill_reason() != NULL);
  EXPECT_EQ(library_work(1), 2);
  EXPECT_EQ(one(1), 2);
  EXPECT_EQ(hits, 2);
  EXPECT_EQ(memcmp(before, (void *)ftrace_location((unsigned long)library_work), 5), 0);
  EXPECT(register_ftrace_function(&late) < 0);
  EXPECT_EQ(library_work(1), 2);
  EXPECT_EQ(hits, 2);
  return failures;
}
#endif
