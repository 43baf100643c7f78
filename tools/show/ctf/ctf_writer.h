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

// A field of the events of a class.
struct CtfField {
  enum Kind : uint8_t { kUnsigned, kSigned, kText };
  const char *name; // name, an identifier
  // Name of the structure that it is in, or null; the fields of a group are consecutive.
  const char *group;
  Kind kind;
};

union CtfValue {
  uint64_t number; // value of kSigned as well
  const char *text;
};

struct CtfTrace {
  const char *path;  // path of the folder, which is created
  const char *clock; // name of the clock; times are in its nanoseconds
  uint64_t lost;     // number of lost events, of all threads
  bool has_epoch;    // whether the clock was 0 at `epoch_ns` behind 1970
  int64_t epoch_ns;
};

struct CtfEvent {
  uint32_t stream; // number that add_stream() returned
  uint32_t event;  // number that define() returned
  uint64_t time;   // time, never less than that of the stream's event before
  int32_t cpu;     // -1: unknown
  int32_t pid, tid;
  const char *comm;
  const CtfValue *values; // values of all fields, in their order
};

// Writes a trace. Calls that can fail return false, and error() has the reason.
class CtfWriter {
public:
  virtual ~CtfWriter() = default;

  virtual bool define(const char *name, const CtfField *fields, size_t count, uint32_t *event) = 0;
  // Adds a stream; `name` is its file's.
  virtual bool add_stream(const char *name, uint32_t *stream) = 0;
  virtual bool add(const CtfEvent &event) = 0;
  // Adds an event that reports `count` missing events in front of it.
  virtual bool add_lost(const CtfEvent &event, uint64_t count) = 0;
  // Completes the trace. Nothing may be added afterwards.
  virtual bool finish() = 0;

  virtual const char *error() const = 0;
};

// The only name that nophook_ctf.so exports. The caller deletes the writer. If error() is not
// empty, the writer could not begin.
using MakeCtfWriter = CtfWriter *(const CtfTrace &trace);
constexpr const char *kMakeCtfWriter = "nophook_make_ctf_writer";

} // namespace nophook
