// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a recording (read/recording/format.h) that may be cut, damaged or hostile.
//
// open() finds the chunks by the PARTS chunk. If there is none, as when the recorder was killed, it
// walks the chunk headers, one in 64 KiB. Small chunks are read and checked at once, sub-buffers
// when they are used. No events are kept in memory.
//
// The file is read, not mapped, because a recorder may be writing to it. A page that is cut off
// would end the command by SIGBUS, and a page that changes could be read twice with two contents.
// The checked data is a copy. Damage is collected, not fatal: the intact parts are read, and
// damage() describes the rest in one line.

#pragma once

#include "foundation/file.h"
#include "foundation/json.h"
#include "foundation/processor.h"
#include "read/recording/format.h"
#include "read/recording/parts.h"
#include "read/recording/wall_time.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace nophook {

// A module's functions.
struct MapView {
  uint32_t first_id = 0;
  uint64_t bias = 0;
  std::string path;
  std::span<const uint8_t> build_id;
  std::span<const uint32_t> offsets;   // offsets of sites, ascending
  std::vector<std::string_view> names; // names of call stubs, which are in no file; else none
  std::shared_ptr<const std::vector<uint8_t>> memory; // memory of the two above
};

struct SubbufView {
  nophook_subbuf header;
  std::span<const uint64_t> words;
  std::shared_ptr<const uint64_t[]> memory; // memory of the words
};

// The profiler's counts of a thread.
struct ProfileView {
  int32_t tid = 0; // thread of the counts; 0: several threads that have ended
  std::string comm;
  std::vector<ProfileRow> rows;
};

struct RecordedProcess {
  uint32_t index = 0;
  int32_t pid = 0;
  int32_t ppid = 0;
  std::string comm;
  std::string exe;
  std::vector<std::string> arguments; // the process's command line
  std::string clock; // the clock of its events, as in trace_clock; empty: the counter
  uint32_t machine = processor_of(0); // the process's CPU
  uint64_t counter_hz = 0;            // the counter's speed, if the CPU reports it
  uint64_t start_tsc = 0;
  uint64_t start_ns = 0;
  uint64_t lost = 0;        // lost events of threads without a ring
  uint64_t overwritten = 0; // overwritten events of threads whose rings others have taken over
  std::string log;
  std::vector<MapView> maps; // the process's modules, in the order of the file
  std::vector<ProfileView> profiles;
};

// Ticks of the time-stamp counter as nanoseconds of CLOCK_MONOTONIC.
struct TscClock {
  uint64_t tsc = 0;
  uint64_t ns = 0;
  double ns_per_tick = 1;
  bool counts_events = false; // trace_clock was `counter`: ticks are no time
  // Moments of a living process by both clocks, ascending (show/live/live_clock.h); the first one
  // is the moment above. A time between two of them by one clock is between the same two by the
  // other.
  struct Moment {
    uint64_t tsc, ns;
  };
  std::shared_ptr<const std::vector<Moment>> moments = nullptr;

  uint64_t at(uint64_t when_tsc) const {
    if (moments && when_tsc > tsc)
      return at_moment(when_tsc);
    return when_tsc >= tsc ? ns + duration(when_tsc - tsc) : ns - duration(tsc - when_tsc);
  }
  uint64_t tick_of(int64_t when_ns) const; // the first tick whose time is at least that
  uint64_t duration(uint64_t ticks) const {
    constexpr double kMost = 9e18; // three centuries; a damaged clock may have more
    // Signed numbers are converted by one instruction each.
    auto signed_ticks = (int64_t)std::min<uint64_t>(ticks, INT64_MAX);
    return (uint64_t)(int64_t)std::min((double)signed_ticks * ns_per_tick, kMost);
  }

private:
  uint64_t at_moment(uint64_t when_tsc) const;
};

struct StreamBorders {
  std::mutex lock;
  std::map<uint32_t, std::shared_ptr<const std::vector<StackBorder>>> of; // borders by stream
};

class Recording {
public:
  // Fails if there is no recording at all. Damage further on is not a failure.
  static Result<Recording> open(const std::string &path);

  const std::string &path() const { return file_.path(); }
  uint64_t bytes() const { return file_.size(); }
  bool is_packed() const { return is_packed_; } // whether events are compressed
  const InputFile &file() const { return file_; }
  const JsonFields &info() const { return info_; } // contents of INFO, maybe none
  const JsonFields &end() const { return end_; }   // contents of END, maybe none
  const TscClock &clock() const { return clock_; }
  void use_clock(const TscClock &clock) { clock_ = clock; }
  // The times of day of clock()'s times. Unknown if the clock counts events, or no recorder has
  // noted times of day.
  const WallTime &wall_time() const { return wall_time_; }
  StreamBorders &borders() const { return *borders_; }
  const std::map<uint32_t, RecordedProcess> &processes() const { return processes_; }
  const std::map<uint32_t, RecordedStream> &streams() const { return streams_; }
  // Payloads of NAMES chunks, still packed.
  using Bytes = std::shared_ptr<const std::vector<uint8_t>>;
  const std::vector<Bytes> &names() const { return names_; }
  uint64_t events() const;
  uint64_t lost() const;
  uint64_t overwritten() const;

  // Damage of a recording: the first of it, and its amount.
  class Damages {
  public:
    void add(uint64_t offset, std::string what);
    void add(Damages &&later); // adds damage that was found behind this one
    std::string text() const;  // a line, or nothing

  private:
    uint64_t offset_ = 0;
    std::string what_;
    uint64_t count_ = 0;
  };

  // Loads a sub-buffer of a stream. False: it is damaged, and `damages` has the damage. Several
  // threads may load at the same time.
  bool load(const RecordedStream::Subbuf &subbuf, SubbufView *view, Damages *damages) const;
  bool load(const RecordedStream::Subbuf &subbuf, SubbufView *view) { // damage() will mention it
    return load(subbuf, view, &damages_);
  }

  // Notes damage that was found in the events.
  void add_damage(uint64_t offset, std::string what) { damages_.add(offset, std::move(what)); }
  void add_damage(Damages &&damages) { damages_.add(std::move(damages)); }

  // The damage as a line, or an empty string.
  std::string damage() const { return damages_.text(); }

private:
  static Result<Recording> open_file(const std::string &path, uint64_t *first_chunk);
  void index(uint64_t at);
  std::optional<uint64_t> find_end() const; // offset of END, if nothing follows it
  bool index_parts();                       // false: the file has no PARTS that fit
  void sort_subbufs();
  void name_threads();
  void follow_last_subbuf(RecordedStream &stream) const;
  void index_chunk(const ChunkHeader &header, uint64_t offset);
  void index_subbuf(const ChunkHeader &header, uint64_t offset);
  void index_map(const ChunkHeader &header, uint64_t offset,
                 std::shared_ptr<const std::vector<uint8_t>> memory);
  void index_same_map(const ChunkHeader &header, uint64_t offset, std::span<const uint8_t> payload);
  void index_profile(const ChunkHeader &header, uint64_t offset, std::span<const uint8_t> payload);
  void index_process(const ChunkHeader &header, uint64_t offset, const JsonFields &fields);
  void compute_clock_rate();
  void note_wall_time();
  const RecordedProcess *rate_teller(double measured) const;
  RecordedProcess &process(uint32_t index);

  InputFile file_;
  JsonFields info_;
  JsonFields end_;
  bool ended_ = false;
  bool is_packed_ = false;
  std::vector<ClockPair> clocks_;
  TscClock clock_;
  WallTime wall_time_;
  std::map<uint32_t, RecordedProcess> processes_;
  std::map<uint32_t, RecordedStream> streams_;
  std::vector<Bytes> names_;
  std::map<uint64_t, MapView> maps_; // maps by the offset of their chunk
  Damages damages_;
  std::shared_ptr<StreamBorders> borders_ = std::make_shared<StreamBorders>();
};

} // namespace nophook
