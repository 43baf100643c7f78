// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls that a thread has open, for a stream of events that begins in the middle of them.
//
// A worker of a prefork server is forked by main > serve > spawn. Its own events begin at depth 0:
// each filter on `main` hides them, and spawn's exit has no entry. Its parent's events may be lost
// or overwritten, so the child itself notes what is open (NOPHOOK_CONTROL_INHERITED). The same
// holds for a flight recorder, whose first sub-buffer is any.
//
// function_graph keeps no list of open frames: exceptions, longjmp and fibers would have to
// maintain it, and each call would pay. But each frame has a mark while its body runs: its own
// address. So the stack is searched from the event upwards, once for each such sub-buffer. A frame
// that an exception or longjmp has dropped keeps its mark until something is written over it: it
// may be taken for open where a later frame leaves that word unwritten.
//
// A callback's frame has no mark, so nothing is searched where function_graph is a callback
// (values, conditions). It has its own address in a word, for walks by frame pointers. A word of
// the program beside a remainder of that looks like a mark: OpenSSH's children began inside calls
// that did not exist.

#pragma once

#include "buffer/trace_buffer.h"

namespace nophook {

// The reach of the search, and the number of calls that are noted, the innermost ones.
constexpr uint64_t kOpenFramesBytes = 256 << 10;
constexpr uint32_t kMostOpenFrames = 256;

// Only function_graph's own frames have marks, and they are the main buffer's.
inline bool wants_open_frames(const Buffer &buffer, const Writer *w) {
  return (w->inherits || buffer_overwrites(buffer)) && !buffer.number && buffer.tracer.has_marks;
}

// Notes them in the slow path of `event`, which is about to be the first one of the sub-buffer that
// `w` has begun. Signals are blocked.
void note_open_frames(const Buffer &buffer, Writer *w, const NewEvent &event);

} // namespace nophook
