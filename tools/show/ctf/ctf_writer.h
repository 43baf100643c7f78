// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder with a CTF 1.8 trace, written by libbabeltrace2.
//
// The command would load that library, and GLib with it, at each of its starts if it was linked to
// it; it needs both for one format. So the writer is a shared object of its own, nophook_ctf.so,
// which show/formats/ctf.cpp loads. This header is all that the two share: an abstract class, plain
// data, and no exceptions.

#pragma once

#include <cstddef>
#include <cstdint>

namespace nophook {

// What the events of a class carry.
struct CtfField {
  enum Kind : uint8_t { kUnsigned, kSigned, kText };
  const char *name;  // an identifier
  const char *group; // the structure that it is in, or null; fields of a group stand together
  Kind kind;
};

union CtfValue {
  uint64_t number; // of kSigned as well
  const char *text;
};

struct CtfTrace {
  const char *path;  // a folder, which is created
  const char *clock; // its name; times are in its nanoseconds
  uint64_t lost;     // events, of all threads
  bool has_epoch;    // `epoch_ns` behind 1970 the clock was 0
  int64_t epoch_ns;
};

struct CtfEvent {
  uint32_t stream; // add_stream() returned it
  uint32_t event;  // define() did
  uint64_t time;   // never less than that of the stream's event before it
  int32_t cpu;     // -1: unknown
  int32_t pid, tid;
  const char *comm;
  const CtfValue *values; // of all fields, in their order
};

// Calls that can fail return false, and error() says why.
class CtfWriter {
public:
  virtual ~CtfWriter() = default;

  virtual bool define(const char *name, const CtfField *fields, size_t count, uint32_t *event) = 0;
  // `name` is that of its file.
  virtual bool add_stream(const char *name, uint32_t *stream) = 0;
  virtual bool add(const CtfEvent &event) = 0;
  // `count` events are missing in front of this one, which says so itself.
  virtual bool add_lost(const CtfEvent &event, uint64_t count) = 0;
  // Completes the trace. Nothing may be added behind it.
  virtual bool finish() = 0;

  virtual const char *error() const = 0;
};

// The one name that nophook_ctf.so exports. The caller deletes the writer. An object whose error()
// is not empty could not begin.
using MakeCtfWriter = CtfWriter *(const CtfTrace &trace);
constexpr const char *kMakeCtfWriter = "nophook_make_ctf_writer";

} // namespace nophook
