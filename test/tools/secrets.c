// Recording and buffers are readable by their owner alone, and nothing is left behind.
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run && chmod 700 %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %nophook record -o %t.data -- %t > %t.out
// RUN: FileCheck %s < %t.out
// RUN: stat -c %%a %t.data | FileCheck %s --check-prefix=FILE
// RUN: ls %t.run/nophook | count 0
// CHECK: folder 700, buffer 600
// FILE: 600
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
int main(void) {
  char pattern[4096];
  struct stat folder, buffer;
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/nophook/*/*.buf", getenv("XDG_RUNTIME_DIR"));
  if (glob(pattern, 0, 0, &found) || stat(found.gl_pathv[0], &buffer))
    return 1;
  *strrchr(found.gl_pathv[0], '/') = 0;
  stat(found.gl_pathv[0], &folder);
  printf("folder %o, buffer %o\n", folder.st_mode & 0777, buffer.st_mode & 0777);
  return 0;
}
