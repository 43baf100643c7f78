// A batch gives each page of text the rights that it had, not those that it was linked with, and
// leaves a page alone that the program has unmapped or taken all rights from: before tracing begins
// (argument 0), or while the page's functions are traced (1).
// RUN: %traced_cc -O1 %s -o %t %linked
// RUN: %trace_linked -p '' -- %t 0 rwx && %trace_linked -p '' -- %t 1 rwx
// RUN: %trace_linked -p '' -- %t 0 exec && %trace_linked -p '' -- %t 1 exec
// RUN: %trace_linked -p '' -- %t 0 none && %trace_linked -p '' -- %t 1 none
// RUN: %trace_linked -p '' -- %t 0 unmap && %trace_linked -p '' -- %t 1 unmap
// Where the kernel has no PROCMAP_QUERY the mappings are read as text.
// RUN: env NO_QUERY=1 %trace_linked -p '' -- %t 0 rwx && env NO_QUERY=1 %trace_linked -p '' -- %t 1 none
// RUN: env NO_QUERY=1 %trace_linked -p '' -- %t 0 unmap && env NO_QUERY=1 %trace_linked -p '' -- %t 1 exec
#include "ops.h"
#include "refuse.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE_OF_TEXT(name) __attribute__((noinline, section(name), aligned(8192)))
PAGE_OF_TEXT(".text.zinit") static void in_page(void) { KEEP(0); }
__attribute__((section(".text.zinit"), naked, aligned(64))) UNTRACED static int patched(void) {
  __asm__("movl $1, %eax; ret; .skip 8192, 0x90");
}
PAGE_OF_TEXT(".text.zrest") static void elsewhere(void) { KEEP(0); }
UNTRACED static void rights_of(const void *address, char rights[8]) {
  char line[512];
  unsigned long start, end, at = (unsigned long)address;
  FILE *maps = fopen("/proc/self/maps", "r");
  strcpy(rights, "gone");
  while (fgets(line, sizeof line, maps)) {
    char found[8];
    if (sscanf(line, "%lx-%lx %7s", &start, &end, found) == 3 && start <= at && at < end)
      strcpy(rights, found);
  }
  fclose(maps);
}
UNTRACED static void change_own_text(const char *how) {
  void *page = (void *)((uintptr_t)in_page & ~4095ul);
  if (!strcmp(how, "unmap"))
    EXPECT_EQ(munmap(page, 4096), 0);
  else
    EXPECT_EQ(mprotect(page, 4096, !strcmp(how, "rwx") ? PROT_READ | PROT_WRITE | PROT_EXEC : !strcmp(how, "exec") ? PROT_EXEC : PROT_NONE), 0);
}
UNTRACED static void patch(int value) { // as static keys do
  ((volatile unsigned char *)patched)[1] = (unsigned char)value;
  EXPECT_EQ(patched(), value);
}
UNTRACED static void toggle(const void *page, const char *rights) {
  static struct Counted all = COUNTED(0), one = COUNTED(0);
  char now[8];
  for (int i = 0; i < 3; i++) {
    long before = all.calls + one.calls;
    EXPECT_EQ(register_ftrace_function(&all.ops), 0);
    EXPECT_EQ(ftrace_set_filter(&one.ops, (const unsigned char *)"elsewhere", 9, 1), 0);
    EXPECT_EQ(register_ftrace_function(&one.ops), 0);
    elsewhere();
    EXPECT_EQ(all.calls + one.calls - before, 2);
    EXPECT_EQ(unregister_ftrace_function(&all.ops), 0);
    EXPECT_EQ(unregister_ftrace_function(&one.ops), 0);
    rights_of(page, now);
    EXPECT(strcmp(now, rights) == 0);
  }
}
UNTRACED int main(int count, char **arguments) {
  EXPECT_EQ(count, 3);
  static struct Counted traced = COUNTED(0);
  const char *how = arguments[2];
  int is_late = atoi(arguments[1]);
  char rights[8];
  if (getenv("NO_QUERY"))
    refuse(SYS_ioctl, 0, 0, ENOTTY);
  if (is_late) {
    EXPECT_EQ(register_ftrace_function(&traced.ops), 0);
    in_page();
    EXPECT_EQ(traced.calls, 1);
  }
  change_own_text(how);
  rights_of((void *)in_page, rights);
  toggle((void *)in_page, rights);
  if (is_late)
    EXPECT_EQ(unregister_ftrace_function(&traced.ops), 0);
  toggle((void *)in_page, rights);
  if (!strcmp(how, "rwx"))
    patch(7), in_page(), patch(8);
  syscall(SYS_exit_group, failures != 0); // no look at text that is not there
}
