// A child of fork does not serve and has nothing of the socket; one that executes a program serves
// for itself.
// RUN: %traced_cc -I %S/../../support %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run NOPHOOK=serve LD_PRELOAD=%lib/libnophook.so %t %t.run/nophook
#include "descriptors.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static int is_there(const char *folder, int pid) {
  char path[4096];
  struct stat space;
  if (stat("/proc/self/ns/pid", &space) != 0)
    return 0;
  snprintf(path, sizeof path, "%s/%lu-%d.sock", folder, (unsigned long)space.st_ino, pid);
  return access(path, F_OK) == 0;
}
static void wait_for(const char *folder, int pid) {
  for (int i = 0; i < 12000 && !is_there(folder, pid); i++)
    usleep(10000);
}
int main(int count, char **arguments) {
  wait_for(arguments[1], getpid());
  if (!is_there(arguments[1], getpid()))
    return 10;
  if (count > 2)
    return 0;
  int before = descriptors(), status;
  if (fork() == 0)
    _exit(descriptors() != before || is_there(arguments[1], getpid()));
  wait(&status);
  if (status)
    return 11;
  if (fork() == 0)
    execl(arguments[0], arguments[0], arguments[1], "again", NULL);
  wait(&status);
  return status != 0;
}
