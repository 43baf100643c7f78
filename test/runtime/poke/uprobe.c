// A site that has a uprobe of the kernel's is left alone and reported; other functions are
// traced, and the probe counts on.
// REQUIRES: uprobe
// RUN: %traced_cc -O1 %s -o %t %static
// RUN: %trace_linked -p '' -k 1024 -- %t %t 2> %t.err
// RUN: grep "1 entries of its table are no sites and are left alone" %t.err
#include "text.h"
#include <ftrace.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

NOINLINE void probed(void) { KEEP(0); }
NOINLINE void other(void) { KEEP(0); }

UNTRACED static int find_offset(struct dl_phdr_info *info, size_t size, void *raw) {
  uint64_t *offset = (uint64_t *)raw, at = (uint64_t)probed - info->dlpi_addr;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_LOAD && at >= p->p_vaddr && at < p->p_vaddr + p->p_filesz)
      *offset = at - p->p_vaddr + p->p_offset;
  }
  return 1;
}
// A counter of this process alone.
UNTRACED static int open_probe(const char *path) {
  struct perf_event_attr attr;
  FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
  uint64_t offset = 0;
  memset(&attr, 0, sizeof attr);
  EXPECT_EQ(fscanf(file, "%u", &attr.type), 1);
  fclose(file);
  dl_iterate_phdr(find_offset, &offset);
  attr.size = sizeof attr;
  attr.config1 = (uint64_t)path;
  attr.config2 = offset;
  int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  EXPECT(fd >= 0);
  return fd;
}
UNTRACED static void call_both(int n) {
  for (int i = 0; i < n; i++)
    probed(), other();
}

UNTRACED int main(int count, char **arguments) {
  uint64_t hits = 0;
  int probe = open_probe(arguments[count - 1]);
  call_both(3);
  EXPECT_EQ(tracing_set_tracer("function"), 0);
  EXPECT_EQ(*(unsigned char *)other, 0xe8);
  call_both(4);
  EXPECT_EQ(tracing_set_tracer("nop"), 0);
  call_both(5);
  EXPECT(read(probe, &hits, sizeof hits) == sizeof hits);
  EXPECT_EQ(hits, 12);
  close(probe);
  EXPECT_EQ(text_differing(), 0);
  call_both(1);
  return failures;
}
