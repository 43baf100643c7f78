// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer's files and the texts of its header, for all readers: NAME.buf, and beside it NAME.maps
// and, for the profiler, NAME.prof.

#pragma once

#include "foundation/file.h"
#include "foundation/tracer_rows.h"

#include <nophook/buffer.h>
#include <nophook/profile.h>

#include <cstddef>
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

// The instance that a buffer belongs to, by its name (PID-STAMP@NAME.buf); empty: it is a process's
// main buffer.
inline std::string instance_of_buffer(const std::string &buffer) {
  size_t name = buffer.rfind('/') + 1, at = buffer.find('@', name), end = buffer.rfind('.');
  return at < end && end != std::string::npos ? buffer.substr(at + 1, end - at - 1) : "";
}

// A text of fixed size from shared memory, which may lack its terminating 0.
template <size_t Bytes> std::string field_text(const char (&text)[Bytes]) {
  return printable({text, strnlen(text, Bytes)});
}

// The name of the buffer's tracer and the form of its events. An older runtime's header has the
// kind alone.
inline std::string tracer_name(const nophook_buffer &header) {
  if (header.tracer == NOPHOOK_EVENT_NONE)
    return "nop";
  if (header.header_bytes > offsetof(nophook_buffer, tracer_form) && header.tracer_name[0])
    return field_text(header.tracer_name);
  const TracerRow *row = find_tracer(header.tracer);
  return row ? row->name : "unknown";
}
inline uint32_t tracer_form(const nophook_buffer &header) {
  if (header.tracer == NOPHOOK_EVENT_NONE)
    return NOPHOOK_FORM_UNKNOWN;
  if (header.header_bytes > offsetof(nophook_buffer, tracer_form) && header.tracer_form)
    return header.tracer_form;
  const TracerRow *row = find_tracer(header.tracer);
  return row ? row->form : NOPHOOK_FORM_UNKNOWN;
}

} // namespace nophook
