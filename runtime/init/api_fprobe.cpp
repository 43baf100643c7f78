// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public functions of include/ftrace.h that are about probes.

#define NOPHOOK_NO_SHORT_NAMES
#include <ftrace.h>

#include "base/lock.h"
#include "ops/fprobe.h"
#include "ops/thread.h"

#include <errno.h>
#include <string.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

using namespace nophook;

namespace {

int bind(fprobe *probe) {
  if (!probe || (!probe->entry_handler && !probe->exit_handler))
    return -EINVAL;
  RuntimeLock lock;
  if (probe->slot)
    return -EBUSY;
  return -bind_probe(probe).error;
}

int unbind(fprobe *probe, int result) {
  RuntimeLock lock;
  silence_probe(probe);
  unbind_probe(probe);
  forget_unused_ops(&probe->ops);
  return result;
}

const unsigned char *as_text(const char *text) {
  return reinterpret_cast<const unsigned char *>(text);
}

int length(const char *text) {
  return text ? (int)strlen(text) : 0;
}

} // namespace

NOPHOOK_API int register_fprobe(fprobe *probe, const char *filter, const char *notfilter) {
  if (must_not_lock())
    return -EBUSY;
  int result = bind(probe);
  if (result)
    return result;
  result = ftrace_set_filter(&probe->ops, as_text(filter), length(filter), 1);
  if (!result)
    result = ftrace_set_notrace(&probe->ops, as_text(notfilter), length(notfilter), 1);
  if (!result)
    result = register_ftrace_function(&probe->ops);
  return result ? unbind(probe, result) : 0;
}

NOPHOOK_API int register_fprobe_ips(fprobe *probe, const unsigned long *ips, int count) {
  if (must_not_lock())
    return -EBUSY;
  if (!ips || count <= 0)
    return -EINVAL;
  int result = bind(probe);
  if (result)
    return result;
  result = ftrace_set_filter_ips(&probe->ops, ips, (unsigned)count, 0, 1);
  if (!result)
    result = register_ftrace_function(&probe->ops);
  return result ? unbind(probe, result) : 0;
}

NOPHOOK_API int register_fprobe_syms(fprobe *probe, const char *const *names, int count) {
  if (must_not_lock())
    return -EBUSY;
  if (!names || count <= 0)
    return -EINVAL;
  int result = bind(probe);
  for (int i = 0; i < count && !result; i++) {
    result = ftrace_set_filter(&probe->ops, as_text(names[i]), length(names[i]), i == 0);
    if (result)
      return unbind(probe, result);
  }
  if (!result && (result = register_ftrace_function(&probe->ops)))
    return unbind(probe, result);
  return result;
}

NOPHOOK_API int unregister_fprobe(fprobe *probe) {
  if (must_not_lock())
    return -EBUSY;
  if (!probe)
    return -EINVAL;
  {
    RuntimeLock lock;
    if (!probe->slot || !is_registered(&probe->ops) || !silence_probe(probe))
      return -EINVAL;
  }
  int result = unregister_ftrace_function(&probe->ops);
  RuntimeLock lock;
  if (result) {
    if (probe->slot) // null: the probe's library has been unloaded in the meantime
      revive_probe(probe);
    return result;
  }
  unbind_probe(probe);
  forget_unused_ops(&probe->ops);
  return 0;
}

NOPHOOK_API void disable_fprobe(fprobe *probe) {
  __atomic_fetch_or(&probe->flags, (unsigned)FPROBE_FL_DISABLED, __ATOMIC_RELEASE);
}

NOPHOOK_API void enable_fprobe(fprobe *probe) {
  __atomic_fetch_and(&probe->flags, ~(unsigned)FPROBE_FL_DISABLED, __ATOMIC_RELEASE);
}
