// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prefork server, small and typical: its workers are forked inside main > serve > spawn and go on
// in there. A worker takes one connection after the other. It leaves by _exit() if a request says
// so, and gets a successor; or it returns through the calls that it was forked in.
//
//      prefork SOCKET WORKERS      serves until each worker has got a request to quit

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
enum { kLeft = 3 };

NOINLINE static long steps_of(long number) {
  long steps = 0;
  for (; number > 1; steps++)
    number = number % 2 ? 3 * number + 1 : number / 2;
  return steps;
}
NOINLINE static void leave(void) {
  _exit(kLeft);
}

// Returns whether the worker goes on.
NOINLINE static int answer(const char *line, FILE *connection) {
  if (!strcmp(line, "leave\n"))
    leave();
  if (!strcmp(line, "quit\n"))
    return 0;
  fprintf(connection, "%ld\n", steps_of(atol(line)));
  fflush(connection);
  return 1;
}

NOINLINE static void work(int listener) {
  for (int goes_on = 1; goes_on;) {
    FILE *connection = fdopen(accept(listener, NULL, NULL), "r+");
    char line[100];
    while (goes_on && connection && fgets(line, sizeof line, connection))
      goes_on = answer(line, connection);
    if (connection)
      fclose(connection);
  }
}

// Returns 1 in a worker, at its end.
NOINLINE static int spawn(int listener) {
  if (fork())
    return 0;
  work(listener);
  return 1;
}

NOINLINE static int serve(int listener, int workers) {
  for (int i = 0; i < workers; i++)
    if (spawn(listener))
      return 0;
  for (int status; wait(&status) > 0;)
    if (WIFEXITED(status) && WEXITSTATUS(status) == kLeft) {
      if (spawn(listener))
        return 0;
    } else if (status) {
      return 1;
    }
  return 0;
}

int main(int count, char **words) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (count != 3 || strlen(words[1]) >= sizeof address.sun_path)
    return 2;
  strcpy(address.sun_path, words[1]);
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 64))
    return 1;
  return serve(listener, atoi(words[2]));
}
