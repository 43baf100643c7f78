// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Perfetto's trace (https://perfetto.dev/docs/reference/synthetic-track-event): packets of track
// events in the order of time, as the steps come. Each stack of a thread is a track, since calls of
// a track must nest. Names are interned: each is written once. The numbers of the fields are those
// of protos/perfetto/trace.

#include "formats/protobuf.h"
#include "formats/track_format.h"

namespace nophook {

namespace {

enum : uint32_t { kTracePacket = 1 }; // of Trace
namespace packet {
enum : uint32_t {
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kClockId = 58,
  kTrackDescriptor = 60,
};
}
namespace interned {
enum : uint32_t { kEventNames = 2, kIid = 1, kName = 2 };
}
namespace descriptor {
enum : uint32_t { kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5 };
}
namespace process {
enum : uint32_t { kPid = 1, kName = 6 };
}
namespace thread_descriptor {
enum : uint32_t { kPid = 1, kTid = 2, kName = 5 };
}
namespace event {
enum : uint32_t {
  kAnnotation = 4,
  kType = 9,
  kNameIid = 10,
  kTrack = 11,
  kCategory = 22,
  kName = 23
};
enum : uint64_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3 };
} // namespace event
namespace annotation {
enum : uint32_t { kInt = 4, kText = 6, kName = 10 };
}

constexpr uint32_t kSequence = 1;              // all packets are of one
constexpr uint64_t kStateCleared = 1;          // SEQ_INCREMENTAL_STATE_CLEARED
constexpr uint64_t kNeedsState = 2;            // SEQ_NEEDS_INCREMENTAL_STATE
constexpr uint64_t kMonotonic = 3;             // BUILTIN_CLOCK_MONOTONIC
constexpr uint64_t kProcessTrack = 1ull << 62; // uuids: with a process; else stream and stack

class PerfettoFormat : public TrackFormat {
public:
  using TrackFormat::TrackFormat;

private:
  using Track = std::pair<uint32_t, uint32_t>; // stream, stack

  static uint64_t uuid(const Thread &thread, uint32_t stack) {
    return ((uint64_t)thread.stream() + 1) << 24 | stack;
  }

  void put(Protobuf packet) {
    packet.number(packet::kSequenceId, kSequence)
        .number(packet::kSequenceFlags, is_first_ ? kStateCleared | kNeedsState : kNeedsState);
    is_first_ = false;
    context_.output->add(Protobuf().message(kTracePacket, packet).bytes());
    if (context_.output->size() >= 64 << 10)
      (void)context_.output->flush(); // the last flush() returns the error
  }

  void describe(const Thread &thread, uint32_t stack) {
    const uint64_t process_track = kProcessTrack + thread.process();
    if (!open_.contains({thread.stream(), stack})) {
      open_[{thread.stream(), stack}] = 0;
      const RecordedProcess &process = context_.recording.processes().at(thread.process());
      if (processes_.insert(thread.process()).second)
        put(Protobuf().message(packet::kTrackDescriptor,
                               Protobuf()
                                   .number(descriptor::kUuid, process_track)
                                   .message(descriptor::kProcess,
                                            Protobuf()
                                                .number(process::kPid, (uint64_t)thread.pid())
                                                .text(process::kName, printable(process.comm)))));
      Protobuf track;
      track.number(descriptor::kUuid, uuid(thread, stack));
      if (stack)
        track.number(descriptor::kParent, uuid(thread, 0))
            .text(descriptor::kName, fmt::format("stack {}", stack));
      else
        track.number(descriptor::kParent, process_track)
            .message(descriptor::kThread,
                     Protobuf()
                         .number(thread_descriptor::kPid, (uint64_t)thread.pid())
                         .number(thread_descriptor::kTid, (uint64_t)thread.tid())
                         .text(thread_descriptor::kName, thread.comm()));
      put(Protobuf().message(packet::kTrackDescriptor, track));
    }
  }

  Protobuf packet_at(uint64_t tsc) {
    Protobuf packet;
    packet.number(packet::kTimestamp, context_.recording.clock().at(tsc))
        .number(packet::kClockId, kMonotonic);
    return packet;
  }

  // The number of a name, which `packet` introduces if it is new.
  uint64_t name_number(const std::string &name, Protobuf *packet) {
    auto [at, is_new] = names_.try_emplace(name, names_.size() + 1);
    if (is_new)
      packet->message(
          packet::kInternedData,
          Protobuf().message(
              interned::kEventNames,
              Protobuf().number(interned::kIid, at->second).text(interned::kName, name)));
    return at->second;
  }

  Result<> begin_call(const Thread &thread, const Step &step) override {
    describe(thread, step.stack);
    open_[{thread.stream(), step.stack}]++;
    Protobuf packet = packet_at(step.tsc), event;
    event.number(event::kType, event::kSliceBegin)
        .number(event::kTrack, uuid(thread, step.stack))
        .number(event::kNameIid, name_number(name(thread, step), &packet));
    annotate(&event, arguments(thread, step));
    put(packet.message(packet::kTrackEvent, event));
    return {};
  }

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    uint32_t &open = open_[{thread.stream(), step.stack}];
    if (!open)
      return {};
    open--;
    Protobuf event;
    event.number(event::kType, event::kSliceEnd).number(event::kTrack, uuid(thread, step.stack));
    for (const CounterGrowth &counter : counter_growth(step.result))
      event.message(event::kAnnotation, Protobuf()
                                            .text(annotation::kName, counter.name)
                                            .number(annotation::kInt, counter.growth));
    annotate(&event, end_values(thread, step));
    put(packet_at(tsc).message(packet::kTrackEvent, event));
    return {};
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    describe(thread, step.stack);
    Protobuf event;
    event.number(event::kType, event::kInstant)
        .number(event::kTrack, uuid(thread, step.stack))
        .text(event::kCategory, instant.category)
        .text(event::kName, instant.name);
    annotate(&event, instant.values);
    put(packet_at(step.tsc).message(packet::kTrackEvent, event));
    return {};
  }

  static void annotate(Protobuf *event, const std::vector<NamedValue> &values) {
    for (const NamedValue &value : values)
      event->message(
          event::kAnnotation,
          Protobuf().text(annotation::kName, value.name).text(annotation::kText, value.text));
  }

  bool is_first_ = true;
  std::set<uint32_t> processes_;
  std::map<Track, uint32_t> open_; // calls, on the tracks that have been described
  std::unordered_map<std::string, uint64_t> names_;
};

} // namespace

std::unique_ptr<EventFormat> make_perfetto(const FormatContext &context) {
  return std::make_unique<PerfettoFormat>(context);
}

} // namespace nophook
