// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many descriptors the program has, the one that counts them included.

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
