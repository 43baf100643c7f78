// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions to the loader, while there is one thread.

#include "sites/startup.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#pragma weak dlsym // a static program has neither, and loads no libraries
#pragma weak dlerror

namespace nophook {

static uint64_t g_startup_objects = 1;
static bool g_can_be_told = true;

static int visit_count(dl_phdr_info *info, size_t, void *) {
  if (info->dlpi_adds)
    g_startup_objects = info->dlpi_adds;
  return 1;
}

void ask_loader() {
  dl_iterate_phdr(visit_count, nullptr);
  g_can_be_told = !dlsym || dlsym(RTLD_DEFAULT, "nophook_unregister_module");
  if (!g_can_be_told)
    dlerror(); // which the program may ask for another reason
}

uint64_t startup_objects() {
  return g_startup_objects;
}

bool can_be_told_of_unloading() {
  return g_can_be_told;
}

} // namespace nophook
