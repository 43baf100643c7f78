// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ten calls, and what the control tree says of the new tracer, the new setting and the new trigger.
// If there is an argument, the program ends inside main.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <tracefs.h>

__attribute__((weak)) extern typeof(tracefs_read) tracefs_read;
__attribute__((weak)) extern typeof(tracefs_write) tracefs_write;

__attribute__((noinline)) int leaf(int value) {
  __asm__ volatile("" : "+r"(value));
  return value + 1;
}

__attribute__((patchable_function_entry(0))) static void show(const char *path) {
  char text[256] = "";
  if (tracefs_read && tracefs_read(path, text, sizeof text - 1) > 0)
    fprintf(stderr, "%s: %s", path, text);
}

__attribute__((patchable_function_entry(0))) static void echo(const char *text, const char *path) {
  int result = tracefs_write ? tracefs_write(path, text, strlen(text), 1) : 0;
  if (result)
    fprintf(stderr, "%s to %s: %d\n", text, path, result);
}

#define TRIGGER "events/recipe/leaf/trigger"

int main(int argc, char **argv) {
  (void)argv;
  if (argc == 1) {
    echo("f:recipe/leaf leaf n=$arg1:s32\n", "dynamic_events");
    echo("note:2 if n == 4\n", TRIGGER);
  }
  for (int i = 0; i < 10; i++)
    leaf(i);
  if (argc > 1)
    raise(SIGKILL);
  show("available_tracers");
  show("mark_bytes");
  show(TRIGGER);
  return 0;
}
