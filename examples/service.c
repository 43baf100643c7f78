// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A service for docs/cookbook.md and its neighbours: it answers a request each millisecond, for
// ever or as often as its first argument says. One request in a hundred is large. With `crash` as
// the second argument, request 300 asks for a file that is not there, which the service does not
// expect.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))

NOINLINE static unsigned checksum(const char *data, int size) {
  unsigned sum = 0;
  for (int i = 0; i < size; i++)
    sum = sum * 31 + (unsigned char)data[i];
  return sum;
}

NOINLINE static char *load(const char *path, int size) {
  if (!strcmp(path, "/missing"))
    return NULL;
  char *data = malloc((size_t)size);
  if (data)
    memset(data, path[1], (size_t)size);
  return data;
}

NOINLINE static unsigned answer(const char *path, int size) {
  char *data = load(path, size);
  unsigned sum = checksum(data, size);
  free(data);
  return sum;
}

NOINLINE static unsigned handle(unsigned number, int may_crash) {
  int size = number % 100 == 99 ? 400000 : 100 + (int)(number % 50);
  const char *path = number % 3 ? "/index" : "/logo";
  return number ^ answer(may_crash && number == 300 ? "/missing" : path, size);
}

int main(int count, char **arguments) {
  unsigned requests = count > 1 ? (unsigned)strtoul(arguments[1], NULL, 10) : 0;
  int may_crash = count > 2 && !strcmp(arguments[2], "crash");
  unsigned sum = 0;
  for (unsigned number = 0; !requests || number < requests; number++) {
    sum += handle(number, may_crash);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  printf("%u requests, checksum %u\n", requests, sum);
  return 0;
}
