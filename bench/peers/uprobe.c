// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the hits of a probe on a function's entry in one program, by the kernel's uprobes.
//
//      uprobe OFFSET[r] PROGRAM [ARGUMENTS...]
//
// OFFSET: the place of the function's code in PROGRAM's file. r: a probe on its return. The hits go
// to standard error. It is a counter of this process's child alone; nothing is written into
// tracefs.

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned read_number(const char *path) {
  unsigned number = 0;
  FILE *file = fopen(path, "r");
  bool is_read = file && fscanf(file, "%u", &number) == 1;
  if (file)
    fclose(file);
  if (is_read)
    return number;
  fprintf(stderr, "uprobe: %s cannot be read\n", path);
  exit(1);
}

int main(int count, char **arguments) {
  if (count < 3)
    return 2;
  struct perf_event_attr probe = {
      .size = sizeof probe,
      .type = read_number("/sys/bus/event_source/devices/uprobe/type"),
      .config = strchr(arguments[1], 'r') ? 1 : 0, // format/retprobe
      .uprobe_path = (uint64_t)arguments[2],
      .probe_offset = strtoull(arguments[1], NULL, 0),
      .inherit = 1,
  };
  int ends[2], status = 1;
  char byte;
  if (pipe(ends))
    return 1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);                   // lets the pipe end if the other process fails
    if (read(ends[0], &byte, 1) == 1) // waits for the probe
      execv(arguments[2], arguments + 2);
    _exit(127);
  }
  int fd = (int)syscall(SYS_perf_event_open, &probe, child, -1, -1, 0);
  if (child < 0 || fd < 0) {
    perror("uprobe: perf_event_open");
    return 1;
  }
  uint64_t hits = 0;
  if (write(ends[1], "", 1) != 1 || waitpid(child, &status, 0) != child ||
      read(fd, &hits, sizeof hits) != sizeof hits)
    return 1;
  fprintf(stderr, "hits %llu\n", (unsigned long long)hits);
  return !WIFEXITED(status) || WEXITSTATUS(status);
}
