// NOPHOOK_POKE chooses the way for a program that registers callbacks itself, too, without any
// other setting; one that is none is named.
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: env -u NOPHOOK NOPHOOK_POKE=trap %t cc
// RUN: env -u NOPHOOK NOPHOOK_POKE=skip %t eb
// RUN: env -u NOPHOOK NOPHOOK_POKE=store %t e8
// RUN: env -u NOPHOOK NOPHOOK_POKE=often %t e8 2>&1 | grep "NOPHOOK_POKE: the ways are store, skip and trap"
#include "ops.h"
#include "poke.h"
static unsigned char *site;
static unsigned head;
UNTRACED static void look(int step) {
  if (step == kPokeHeads)
    head = *site;
}

UNTRACED int main(int count, char **arguments) {
  static struct Counted counted = COUNTED(0);
  EXPECT_EQ(count, 2);
  for (SiteFunction *const *s = sites_begin; s < sites_end && !site; s++)
    if ((unsigned long)*s % 8 == 0) // a site that allows every way
      site = (unsigned char *)*s;
  unsigned long ip = (unsigned long)site;
  start_runners(1); // or there is no protocol
  wait_for_runners();
  EXPECT_EQ(ftrace_set_filter_ip(&counted.ops, ip, 0, 1), 0);
  nophook_poke_stop = look;
  EXPECT_EQ(register_ftrace_function(&counted.ops), 0);
  EXPECT_EQ(head, strtoul(arguments[1], NULL, 16));
  wait_for_runners();
  EXPECT_EQ(unregister_ftrace_function(&counted.ops), 0);
  EXPECT(calls_of(&counted) > 0);
  stop_runners();
  EXPECT_EQ(text_differing(), 0);
  return failures;
}
