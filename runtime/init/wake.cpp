// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dormant runtime begins to serve: it was loaded by `nophook attach`, it is a fork child's, or a
// client has ended its serving.
//
// The thread that calls wake() is the program's, stopped at some place. To find a folder, to make
// files, and to register for membarrier, which takes 15 ms once threads run, it would stand still
// for too long. So it only starts a thread.

#include "init/wake.h"

#include "base/background_thread.h"
#include "base/bytes.h"
#include "base/log.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/trace_buffer.h"
#include "init/start.h"
#include "poke/poke.h"
#include "tracefs/server.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NOPHOOK_API extern "C" __attribute__((visibility("default")))

namespace nophook {
namespace {

constexpr size_t kStackBytes = 256 << 10;

char g_settings[4096];
int32_t g_waker = 0; // process whose thread uses g_settings

void tell(int32_t state, const char *reason) {
  nophook_runtime_table &table = nophook_runtime;
  Text<sizeof table.reason> text;
  text.add(reason);
  copy_bytes(table.reason, text.c_str(), text.size() + 1);
  __atomic_store_n(&table.state, state, __ATOMIC_RELEASE); // a tool reads it before the reason
}

// Whether there is a folder: that of an earlier wake, or of a fork child's parent, unless the user
// has changed.
bool has_folder() {
  return buffer_configured() && sys(SYS_faccessat, AT_FDCWD, g_buffer.directory, W_OK | X_OK) == 0;
}

void *run(void *) {
  sys(SYS_prctl, PR_SET_NAME, "nophook-wake");
  register_core_sync();
  const Status status = has_folder() ? serve(g_buffer.directory) : start_by(g_settings);
  log_route(false, is_serving());
  tell(status.ok() ? (int32_t)NOPHOOK_WAKE_DONE : -status.error, status.ok() ? "" : status.reason);
  __atomic_store_n(&g_waker, 0, __ATOMIC_RELEASE); // g_settings is free: pairs with wake()
  return nullptr;
}

int wake(const char *settings) {
  Text<sizeof g_settings> text;
  if (text.add(settings).full())
    return -ENAMETOOLONG;
  // A fork child may find the number of a parent that was starting to serve.
  const int32_t self = process_id();
  int32_t waker = __atomic_load_n(&g_waker, __ATOMIC_ACQUIRE);
  if (serves_here() || waker == self ||
      !__atomic_compare_exchange_n(&g_waker, &waker, self, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return -EALREADY;
  copy_bytes(g_settings, text.c_str(), text.size() + 1);
  tell(NOPHOOK_WAKE_BEGUN, "");
  const int error = start_background_thread(run, kStackBytes);
  if (error) {
    tell(-error, "no thread can be made");
    __atomic_store_n(&g_waker, 0, __ATOMIC_RELEASE);
  }
  return -error;
}

} // namespace
} // namespace nophook

extern "C" __attribute__((visibility("hidden"), used)) nophook_runtime_table nophook_runtime = {
    NOPHOOK_RUNTIME_VERSION,   NOPHOOK_WAKE_NONE, nophook_register_module,
    nophook_unregister_module, nophook::wake,     ""};

// The note's descriptor is the distance from itself to the table.
__asm__("        .pushsection .note.nophook.runtime, \"a\", @note\n"
        "        .p2align 2\n"
        "        .long   8, 8, 2\n"
        "        .asciz  \"Nophook\"\n"
        "        .quad   nophook_runtime - .\n"
        "        .popsection\n");
static_assert(sizeof(NOPHOOK_NOTE_NAME) == 8 && NOPHOOK_RUNTIME_NOTE_TYPE == 2);

NOPHOOK_API int nophook_wake(const char *settings) {
  return nophook_runtime.wake(settings);
}
