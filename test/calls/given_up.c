// Slots lead to stubs when calls are asked for and back to the functions when they are given up,
// and RELRO is closed at all times, while threads call through them.
// RUN: %traced_cc -Wl,-z,now -Wl,-z,relro %s -o %t
// RUN: rm -rf %t.buffers && mkdir %t.buffers
// RUN: env NOPHOOK="buffer_dir=%t.buffers current_tracer=function_graph" %preloaded %t | FileCheck %s
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracefs.h>
#pragma weak tracefs_write
static atomic_int ends;
static void *calls(void *wrong) {
  while (!ends) {
    char *text = malloc(32);
    if (!text || atoi("17") != 17 || labs(-3L) != 3)
      ++*(int *)wrong;
    free(text);
  }
  return 0;
}
// The slots of functions: how many lead out of the C library, and whether one is writable.
static int stubs, writable;
static int look(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size, (void)data;
  const ElfW(Dyn) *entry = 0;
  const ElfW(Rela) *relocation = 0;
  size_t bytes = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; entry->d_tag; entry++)
    if (entry->d_tag == DT_JMPREL)
      relocation = (const ElfW(Rela) *)entry->d_un.d_ptr;
    else if (entry->d_tag == DT_PLTRELSZ)
      bytes = entry->d_un.d_val;
  stubs = writable = 0;
  for (; bytes; bytes -= sizeof *relocation, relocation++) {
    const unsigned char *const *slot = (const void *)(info->dlpi_addr + relocation->r_offset);
    if (*slot)
      stubs += !memcmp(*slot + 9, "\x3e\xff\x25", 3); // the jump behind the site
    char line[300];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) {
      unsigned long start, end;
      char rights[5];
      sscanf(line, "%lx-%lx %4s", &start, &end, rights);
      if ((unsigned long)slot >= start && (unsigned long)slot < end)
        writable += rights[1] == 'w';
    }
    fclose(maps);
  }
  return 1;
}
static int show(const char *when, int has_stubs) {
  dl_iterate_phdr(look, 0);
  printf("%s: stubs %d, writable %d\n", when, stubs, writable);
  return (stubs > 0) != has_stubs || writable;
}
int main(void) {
  pthread_t threads[3];
  int wrong[3] = {0};
  for (int i = 0; i < 3; i++)
    pthread_create(&threads[i], 0, calls, &wrong[i]);
  int failed = show("before", 0), refused = 0;
  for (int i = 0; i < 50; i++) {
    refused |= tracefs_write("calls", "1", 1, 0);
    if (i == 0)
      failed |= show("asked for", 1);
    refused |= tracefs_write("calls", "0", 1, 0);
  }
  failed |= show("given up", 0);
  ends = 1;
  for (int i = 0; i < 3; i++)
    pthread_join(threads[i], 0);
  printf("refused %d, wrong %d\n", refused, wrong[0] + wrong[1] + wrong[2]);
  return failed || refused || wrong[0] + wrong[1] + wrong[2];
}
// CHECK: before: stubs 0, writable 0
// CHECK-NEXT: asked for: stubs {{[1-9][0-9]*}}, writable 0
// CHECK-NEXT: given up: stubs 0, writable 0
// CHECK-NEXT: refused 0, wrong 0
