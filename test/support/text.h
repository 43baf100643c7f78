// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the program's executable segments with its file, byte for byte.

#pragma once

#include "program.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct TextCheck {
  int file;
  long segments, bytes, differing;
};

UNTRACED static int text_check_object(struct dl_phdr_info *info, size_t size, void *raw) {
  struct TextCheck *check = (struct TextCheck *)raw;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
      continue;
    unsigned char *memory = (unsigned char *)(info->dlpi_addr + p->p_vaddr);
    unsigned char *file = (unsigned char *)malloc(p->p_filesz);
    EXPECT(pread(check->file, file, p->p_filesz, (off_t)p->p_offset) == (ssize_t)p->p_filesz);
    for (size_t k = 0; k < p->p_filesz; k++)
      check->differing += memory[k] != file[k];
    check->segments++;
    check->bytes += (long)p->p_filesz;
    free(file);
  }
  return 1; // stops: the first object is the program
}

// The number of bytes that differ; -1 if nothing could be compared.
UNTRACED static long text_differing(void) {
  struct TextCheck check = {open("/proc/self/exe", O_RDONLY | O_CLOEXEC), 0, 0, 0};
  dl_iterate_phdr(text_check_object, &check);
  close(check.file);
  return check.segments && check.bytes ? check.differing : -1;
}
