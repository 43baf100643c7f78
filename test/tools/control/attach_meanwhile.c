// A recorder can begin while another recorder that ends removes the folder of both's files.
// RUN: %traced_cc %S/events.c -o %t && %clang -shared -fPIC %s -o %t.so && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/attach_meanwhile.py %nophook %lib/libnophook.so %t %t.so %t.data
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
int mkdir(const char *path, mode_t mode) {
  static int times;
  size_t length = strlen(path);
  int made = (int)syscall(SYS_mkdir, path, mode);
  if (length > 7 && strcmp(path + length - 7, "/follow") == 0 && times++ < 2)
    rmdir(path);
  return made;
}
