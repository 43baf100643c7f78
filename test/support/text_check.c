// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Preloaded into every traced program of the run tests: when the process ends, by exit or _exit, it
// turns tracing and callbacks off and compares the text of each instrumented object with its file.
// If a byte differs the process ends with status 97. (By itself a process that exits leaves its
// text as it is.) Live patches and permanent callbacks cannot be turned off: with these there is no
// comparison.
//
// A program that has the runtime in itself (the archive) is asked as well if it exports
// tracing_set_tracer; a static one is compared only where a test does so itself (text.h).

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The process that compares; a child of vfork or of a raw fork has another id, and no right to our
// memory.
static pid_t owner;

static void remember(void) {
  owner = getpid();
}

static int has_note(const struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    if (p->p_type == PT_NOTE &&
        memmem((const void *)(info->dlpi_addr + p->p_vaddr), p->p_memsz, "Nophook", 8))
      return 1;
  }
  return 0;
}

static int compare(struct dl_phdr_info *info, size_t size, void *raw) {
  const char *path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
  long *differing = raw;
  struct stat st;
  (void)size;
  if (!has_note(info))
    return 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0 || fstat(fd, &st) != 0)
    return 0;
  const unsigned char *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  close(fd);
  for (int i = 0; i < info->dlpi_phnum && file != MAP_FAILED; i++) {
    const ElfW(Phdr) *p = &info->dlpi_phdr[i];
    const unsigned char *memory = (const unsigned char *)(info->dlpi_addr + p->p_vaddr);
    if (p->p_type == PT_LOAD && (p->p_flags & PF_X) && !(p->p_flags & PF_W))
      for (size_t k = 0; k < p->p_filesz; k++)
        *differing += memory[k] != file[p->p_offset + k];
  }
  if (file != MAP_FAILED)
    munmap((void *)file, (size_t)st.st_size);
  return 0;
}

static void check(void) {
  int (*set_tracer)(const char *) =
      (int (*)(const char *))dlsym(RTLD_DEFAULT, "tracing_set_tracer");
  int (*write_file)(const char *, const char *, size_t, int) =
      (int (*)(const char *, const char *, size_t, int))dlsym(RTLD_DEFAULT, "tracefs_write");
  long differing = 0;
  if (!set_tracer || getpid() != owner || set_tracer("nop") != 0)
    return;
  if (write_file && write_file("sys/kernel/ftrace_enabled", "0", 1, 0) == -EBUSY)
    return;
  dl_iterate_phdr(compare, &differing);
  if (differing) {
    dprintf(2, "text_check: %ld bytes of text differ from the file\n", differing);
    syscall(SYS_exit_group, 97);
  }
}

__attribute__((constructor)) static void begin(void) {
  remember();
  pthread_atfork(NULL, NULL, remember);
}

__attribute__((destructor)) static void end(void) {
  check();
}

void _exit(int status) {
  check();
  for (;;)
    syscall(SYS_exit_group, status);
}
