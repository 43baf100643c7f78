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

  // `buffer` must live as long as this object.
  LiveEvents(SharedBuffer &buffer, Use use);

  // Looks for events since the last look.
  void look();

  // The next event, as Merge::next(); false: there is none at this moment.
  bool next(Thread **thread, Step *step) { return merge_.next(thread, step); }

  // kLook: the numbers of events of all CPUs (-1) or of one; for one CPU, lost and overwritten
  // events are unknown.
  EntryCounts entries(int cpu) const;

  // kConsume: whether no other reader has consumed since.
  bool is_current() const;

  // kConsume: marks the events that next() has returned as consumed, for all readers.
  void consume();

private:
  // The events of one thread.
  struct Stream {
    struct Given {
      const uint64_t *begin, *end;
      SharedBuffer::Place place;
    };
    uint32_t ring;
    int32_t tid;
    std::vector<HeldSubbuf> held;  // sub-buffers at the last look
    size_t at = 0;                 // index of the present one
    std::deque<SubbufPart> copies; // kLook: copies of them
    SharedBuffer::Place next;      // place of the first word that the timeline has not got
    SharedBuffer::Place consumed;
    std::deque<Given> given;  // parts that the timeline has got, and that are not consumed
    uint64_t overwritten = 0; // kLook: overwritten events in front of the held sub-buffers
    LostSoFar lost;
    uint64_t lost_before = 0; // losses before this reader's first event
    uint32_t clears = 0;      // number of the clearing since which `position` counts
    bool has_position = true; // whether the position is known
    uint64_t position = 0;    // number of events in front of `next`
    uint64_t overtaken = 0; // number of these that were overwritten before this reader came to them
    bool has_begun = false;
    bool is_gone = false;
    Thread *thread = nullptr;
    std::string name; // name of the thread at the last look; empty: unknown
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
  std::map<uint32_t, uint64_t> counts_; // number of events by CPU
  Merge merge_;
};

} // namespace nophook
