// A set-user-ID program does not serve, and a program without the word has no socket either.
// REQUIRES: root
// RUN: %traced_cc -static %s -o %t %with_archive && rm -rf %t.run && mkdir %t.run && chmod 777 %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run NOPHOOK=serve %t serves %t.run/nophook
// RUN: env XDG_RUNTIME_DIR=%t.run NOPHOOK=current_tracer=function %t silent %t.run/nophook
// RUN: rm -rf %t.run/nophook && chown 65534 %t && chmod 4755 %t
// RUN: env XDG_RUNTIME_DIR=%t.run NOPHOOK=serve %t silent %t.run/nophook
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
// A socket that has no name yet ends in .sock.tmp.
static int entries(const char *folder, const char *suffix) {
  int count = 0;
  size_t bytes = strlen(suffix);
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && (entry = readdir(open));)
    count += entry->d_name[0] != '.' && strlen(entry->d_name) >= bytes &&
             strcmp(entry->d_name + strlen(entry->d_name) - bytes, suffix) == 0;
  if (open)
    closedir(open);
  return count;
}
int main(int count, char **arguments) {
  if (count < 3)
    return 9;
  int serves = strcmp(arguments[1], "serves") == 0;
  if (entries("/proc/self/task", "") != 1 + serves) // the thread is there before main is
    return 10;
  for (int i = 0; serves && i < 6000 && !entries(arguments[2], ".sock"); i++)
    usleep(10000);
  return entries(arguments[2], ".sock") != serves;
}
