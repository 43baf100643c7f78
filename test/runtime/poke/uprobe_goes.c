// A uprobe that is set on an enabled site and goes again: in a process that serves its control tree, the loss is reported while the probe is there, and the function is traced again when it has gone, without a change or a reader.
// REQUIRES: uprobe
// RUN: %traced_cc -O1 -I%S/../ring %s -o %t
// RUN: %trace -p function -s serve -- %t %t
#include "resize.h"
#include "uprobe.h"

NOINLINE void probed(void) { __asm__ volatile("" : : : "memory"); }
UNTRACED static void wait_for_line(const struct nophook_buffer *buffer, const char *line) {
  while (!strstr((const char *)buffer->log, line))
    usleep(10000);
}
UNTRACED static int is_at_site(const void *insn) { return memcmp((void *)probed, insn, 5) == 0; }
UNTRACED int main(int count, char **arguments) {
  unsigned char call[5];
  memcpy(call, (void *)probed, sizeof call);
  probed();
  const struct nophook_buffer *buffer = find_buffer();
  int probe = open_probe(arguments[count - 1], probed);
  for (int i = 0; i < 3; i++)
    probed();
  EXPECT_EQ(hits_of(probe), 3);
  if (*(unsigned char *)probed == 0xcc || is_at_site(call))
    return failures; // before Linux 6.18 the probe stays an int3
  wait_for_line(buffer, "1 functions hold foreign code at their entry and are left alone while it is there (a breakpoint or uprobe; probed)");
  close(probe);
  wait_for_line(buffer, "1 functions had foreign code at their entry, which has gone: calls were missed (a breakpoint or uprobe; probed)");
  while (!is_at_site(call))
    usleep(10000);
  return failures;
}
