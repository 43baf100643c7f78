// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The events of a buffer that is in use, of all threads, by time.
//
// kLook takes a copy of everything and leaves the buffer as it is: the file `trace`. kConsume
// reads one sub-buffer of each thread ahead, so its memory does not grow with the buffer. It can
// be called again when there are more events: `trace_pipe`. Events that it has returned are marked
// as consumed in the buffer, one by one, so the next reader continues behind them, even in another
// process. Only one reader may consume at a time (nophook/buffer.h).

#pragma once

#include "process/drain/held_subbufs.h"
#include "process/drain/lost_so_far.h"
#include "show/print/trace_context.h"

#include <deque>
#include <map>

namespace nophook {

class LiveEvents {
public:
  enum class Use { kLook, kConsume };

  // `buffer` must live as long.
  LiveEvents(SharedBuffer &buffer, Use use);

  // What has come since the last time.
  void look();

  // As Merge::next(); false: there is no more at this moment.
  bool next(Thread **thread, Step *step) { return merge_.next(thread, step); }

  // kLook: how many there were, of all CPUs (-1) or of one; of one, nobody knows how many were lost
  // or overwritten.
  EntryCounts entries(int cpu) const;

  // kConsume: whether nobody else has consumed since.
  bool is_current() const;

  // kConsume: what next() has given is gone for everyone.
  void consume();

private:
  // What one thread has written.
  struct Stream {
    struct Given {
      const uint64_t *begin, *end;
      SharedBuffer::Place place;
    };
    uint32_t ring;
    int32_t tid;
    std::vector<HeldSubbuf> held;  // as of the last look
    size_t at = 0;                 // in it
    std::deque<SubbufPart> copies; // kLook
    SharedBuffer::Place next;      // not yet given to the timeline
    SharedBuffer::Place consumed;
    std::deque<Given> given;  // to the timeline, and not consumed
    uint64_t overwritten = 0; // kLook: in front of what is held
    LostSoFar lost;
    uint64_t lost_before = 0; // when we came
    uint32_t clears = 0;      // since which clearing `position` counts
    bool has_position = true; // else it is not known
    uint64_t position = 0;    // events in front of `next`
    uint64_t overtaken = 0;   // of them, those that were overwritten before we came to them
    bool has_begun = false;
    bool is_gone = false;
    Thread *thread = nullptr;
    std::string name; // the thread's, as of the last look; empty: it could not be seen
  };

  void copy_all(Stream *stream);
  uint64_t overwritten_of(uint32_t ring) const;
  void count(const SubbufPart &part);
  bool next_part(Stream *stream, SubbufPart *part);
  void find_position(Stream *stream);
  void move_on(Stream *stream, uint64_t seq, uint64_t before, SubbufPart *part);
  bool give(Stream *stream, Timeline::Words *words);
  void consume(Stream *stream);

  SharedBuffer &buffer_;
  const Use use_;
  std::map<std::pair<uint32_t, int32_t>, std::unique_ptr<Stream>> streams_;
  std::map<uint32_t, uint64_t> counts_; // by CPU
  Merge merge_;
};

} // namespace nophook
