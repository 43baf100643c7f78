// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lifetime of programs: from before they are made until they have been waited for, in
// milliseconds. They take turns, and each round begins with another one, so that none always
// follows the same neighbour. vfork, so that the size of this process does not count.
//
//      spawn ROUNDS LIBRARY PROGRAM...
//
// `preloaded:PROGRAM` is started with the library preloaded.

#include "support.h"

#include <sys/wait.h>

static double spawn(char *program, char *const *preloading) {
  const char prefix[] = "preloaded:";
  int preloads = strncmp(program, prefix, sizeof prefix - 1) == 0;
  program += preloads ? sizeof prefix - 1 : 0;
  char *arguments[] = {program, NULL}, *none[] = {NULL};
  double start = now_ns();
  pid_t pid = vfork();
  if (pid == 0) {
    execve(program, arguments, preloads ? preloading : none);
    _exit(127);
  }
  int status = 0;
  if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0)
    give_up("%s: status %d", program, status);
  return (now_ns() - start) / 1e6;
}

int main(int argc, char **argv) {
  int rounds = argc > 3 ? atoi(argv[1]) : 0, programs = argc - 3;
  if (rounds < 1)
    give_up("usage: spawn ROUNDS LIBRARY PROGRAM...");
  static char preload[4096];
  snprintf(preload, sizeof preload, "LD_PRELOAD=%s", argv[2]);
  char *preloading[] = {preload, NULL};
  static struct samples samples[32];
  for (int round = -3; round < rounds; round++) // three rounds to warm up
    for (int i = 0; i < programs && i < 32; i++) {
      int which = (i + round + 3) % programs;
      double ms = spawn(argv[3 + which], preloading);
      samples[which].name = argv[3 + which];
      if (round >= 0)
        add_sample(&samples[which], ms);
    }
  for (int i = 0; i < programs && i < 32; i++)
    print_samples(&samples[i]);
  return 0;
}
