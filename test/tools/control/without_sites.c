// A program without sites does not serve under an exported NOPHOOK=serve, and has one thread; it serves from the moment at which it loads its first library with sites. A fork child that loads one does not.
// RUN: split-file %s %t && rm -rf %t.run && mkdir %t.run
// RUN: %traced_cc -shared -fPIC %t/library.c -o %t/library.so && %clang -D_GNU_SOURCE %t/program.c -o %t/program
// RUN: env XDG_RUNTIME_DIR=%t.run NOPHOOK=serve LD_PRELOAD=%lib/libnophook.so %t/program %t.run/nophook %t/library.so

//--- library.c
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }

//--- program.c
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int entries(const char *folder, const char *suffix) {
  int count = 0;
  DIR *open = opendir(folder);
  for (struct dirent *entry; open && (entry = readdir(open));)
    count += strstr(entry->d_name, suffix) != NULL && entry->d_name[0] != '.';
  if (open)
    closedir(open);
  return count;
}
int main(int count, char **arguments) {
  int status = 0;
  if (count < 3 || entries("/proc/self/task", "") != 1 || entries(arguments[1], ".sock"))
    return 10;
  if (fork() == 0)
    _exit(!dlopen(arguments[2], RTLD_NOW) || entries("/proc/self/task", "") != 1);
  wait(&status);
  if (status || entries(arguments[1], ".sock"))
    return 11;
  if (!dlopen(arguments[2], RTLD_NOW) || entries("/proc/self/task", "") != 2)
    return 12;
  for (int i = 0; i < 6000 && !entries(arguments[1], ".sock"); i++)
    usleep(10000);
  return entries(arguments[1], ".sock") != 1;
}
