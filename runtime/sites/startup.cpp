// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions to the loader, while there is one thread.

#include "sites/startup.h"

#include <link.h>
#include <stddef.h>

namespace nophook {

static uint64_t g_startup_objects = 1;

static int visit_count(dl_phdr_info *info, size_t, void *) {
  if (info->dlpi_adds)
    g_startup_objects = info->dlpi_adds;
  return 1;
}

void ask_loader() {
  dl_iterate_phdr(visit_count, nullptr);
}

uint64_t startup_objects() {
  return g_startup_objects;
}

} // namespace nophook
