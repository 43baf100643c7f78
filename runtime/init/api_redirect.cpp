// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that redirect.

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include "base/lock.h"
#include "ops/adopt.h"
#include "ops/redirect.h"

#include <errno.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

NOPHOOK_API int register_ftrace_redirect(unsigned long old_function, unsigned long new_function) {
  if (must_not_lock())
    return -EBUSY;
  Status status;
  {
    RuntimeLock lock;
    if (!first_module())
      status = adopt_modules();
    if (status.ok())
      status = add_redirect(old_function, new_function);
  }
  reclaim();
  return -status.error;
}

NOPHOOK_API int unregister_ftrace_redirect(unsigned long old_function) {
  if (must_not_lock())
    return -EBUSY;
  Status status;
  {
    RuntimeLock lock;
    status = remove_redirect(old_function);
  }
  reclaim();
  return -status.error;
}
