// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the program's open descriptors, including the one that counts them.

#pragma once

#include "program.h"

#include <dirent.h>

UNTRACED static int descriptors(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  while (readdir(folder))
    count++;
  closedir(folder);
  return count;
}
