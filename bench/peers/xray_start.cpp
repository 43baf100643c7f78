// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XRay's flight data recorder with a buffer for everything, which is written when the program ends:
// its buffers are used in turns, and those that do not fit would be lost in silence.

#include <cstdio>
#include <cstdlib>
#include <xray/xray_interface.h>
#include <xray/xray_log_interface.h>

namespace {

void check(bool is_right, const char *what) {
  if (!is_right) {
    fprintf(stderr, "xray: %s\n", what);
    _Exit(1);
  }
}

struct Recorder {
  Recorder() {
    check(__xray_log_select_mode("xray-fdr") == XRAY_REGISTRATION_OK, "no mode xray-fdr");
    check(__xray_log_init_mode("xray-fdr",
                               "func_duration_threshold_us=0:buffer_size=1048576:"
                               "buffer_max=1024:grace_period_ms=1") == XRAY_LOG_INITIALIZED,
          "not initialized");
    check(__xray_patch() == SUCCESS, "not patched");
  }
  ~Recorder() {
    check(__xray_unpatch() == SUCCESS, "not unpatched");
    check(__xray_log_finalize() == XRAY_LOG_FINALIZED, "not finalized");
    check(__xray_log_flushLog() == XRAY_LOG_FLUSHED, "not flushed");
  }
} g_recorder;

} // namespace
