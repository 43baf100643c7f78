// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ten calls, and what the control tree says of the new tracer and the new setting. With an argument,
// the program ends inside main.
#include <signal.h>
#include <stdio.h>
#include <tracefs.h>

__attribute__((weak)) extern typeof(tracefs_read) tracefs_read;

__attribute__((noinline)) int leaf(int value) {
  __asm__ volatile("" : "+r"(value));
  return value + 1;
}

__attribute__((patchable_function_entry(0))) static void show(const char *path) {
  char text[256] = "";
  if (tracefs_read && tracefs_read(path, text, sizeof text - 1) > 0)
    fprintf(stderr, "%s: %s", path, text);
}

int main(int argc, char **argv) {
  (void)argv;
  for (int i = 0; i < 10; i++)
    leaf(i);
  if (argc > 1)
    raise(SIGKILL);
  show("available_tracers");
  show("mark_bytes");
  return 0;
}
