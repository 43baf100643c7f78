// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error result of cold runtime code: an errno for programs and a sentence for people. There are
// no exceptions: the runtime lives in programs without them.

#pragma once

namespace nophook {

struct [[nodiscard]] Status {
  int error = 0;                // a positive errno; 0: no error
  const char *reason = nullptr; // static text that names place and problem

  bool ok() const { return error == 0; }
};

inline Status failure(int error, const char *reason) {
  return {error, reason};
}

// Passes a failure on to the caller.
#define NOPHOOK_TRY(expression)                                                                    \
  do {                                                                                             \
    ::nophook::Status try_status_ = (expression);                                                  \
    if (!try_status_.ok())                                                                         \
      return try_status_;                                                                          \
  } while (0)

} // namespace nophook
