// A process whose dynamic linker has mapped the runtime and has not relocated it yet is left as it is: no address in the
// runtime's table can be called. (The program maps the file as a dynamic linker does.)
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/not_relocated.py %nophook %t %t.run %lib/libnophook.so
#include "turns.h"
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>

static void map_library(const char *path) {
  char head[4096];
  int fd = open(path, O_RDONLY);
  MUST(fd >= 0 && read(fd, head, sizeof head) == sizeof head);
  const Elf64_Ehdr *file = (const Elf64_Ehdr *)head;
  const Elf64_Phdr *segments = (const Elf64_Phdr *)(head + file->e_phoff);
  char *at = mmap(0, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < file->e_phnum; i++) {
    const Elf64_Phdr *one = &segments[i];
    const uint64_t before = one->p_vaddr % 4096;
    const int prot = (one->p_flags & PF_R ? PROT_READ : 0) | (one->p_flags & PF_W ? PROT_WRITE : 0) | (one->p_flags & PF_X ? PROT_EXEC : 0);
    if (one->p_type == PT_LOAD)
      MUST(mmap(at + one->p_vaddr - before, one->p_filesz + before, prot, MAP_PRIVATE | MAP_FIXED, fd, (off_t)(one->p_offset - before)) != MAP_FAILED);
  }
  close(fd);
}

int main(int count, char **arguments) {
  MUST(count == 3);
  map_library(arguments[2]);
  open_turns(arguments[1]);
  while (!has_input_ended()) {
    usleep(1000);
    turn();
  }
}
