// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer's files and the texts of its header, for everyone who looks at one: NAME.buf, and
// beside it NAME.maps and, of the profiler, NAME.prof.

#pragma once

#include "base/file.h"

#include <nophook/buffer.h>
#include <nophook/profile.h>

#include <cstring>
#include <string>

namespace nophook {

inline constexpr const char *kBufferSuffix = ".buf";
inline constexpr const char *kMapsSuffix = ".maps";
inline constexpr const char *kProfileSuffix = ".prof";
inline constexpr const char *kBufferSuffixes[] = {kBufferSuffix, kMapsSuffix, kProfileSuffix};

inline std::string beside_buffer(const std::string &buffer, const char *suffix) {
  return buffer.substr(0, buffer.rfind('.')) + suffix;
}

// The instance that a buffer is of, by its name (PID-STAMP@NAME.buf); empty: it is a process's main
// one.
inline std::string instance_of_buffer(const std::string &buffer) {
  size_t name = buffer.rfind('/') + 1, at = buffer.find('@', name), end = buffer.rfind('.');
  return at < end && end != std::string::npos ? buffer.substr(at + 1, end - at - 1) : "";
}

// A text of fixed size from shared memory, which need not have an end.
template <size_t Bytes> std::string field_text(const char (&text)[Bytes]) {
  return printable({text, strnlen(text, Bytes)});
}

inline const char *tracer_name(uint32_t tracer) {
  switch (tracer) {
  case NOPHOOK_EVENT_FUNCTION:
    return "function";
  case NOPHOOK_TRACER_PROFILE:
    return "profile";
  case NOPHOOK_EVENT_NONE:
    return "nop";
  default:
    return "function_graph";
  }
}

} // namespace nophook
