// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Perfetto's trace (https://perfetto.dev/docs/reference/synthetic-track-event): packets of track
// events in the order of time, as the steps come. Each stack of a thread is a track, since calls of
// a track must nest. Names are interned: each is written once. The numbers of the fields are those
// of protos/perfetto/trace.
//
// Where a process has forked, it has an instant, from which a flow leads to the child's first
// event. A recording says which process has forked, not which of its threads: if it has several,
// the instant is on the track of the process.
//
// The growth of counters (perf_counters) is recorded with each call, and includes the calls inside
// it. A track shows a counter's value: the value where the call began, plus that growth. The number
// of lost events is a counter, too.

#include "show/formats/protobuf.h"
#include "show/formats/track_format.h"

namespace nophook {

namespace {

enum : uint32_t { kTracePacket = 1 }; // the field of Trace
namespace packet {
enum : uint32_t {
  kClockSnapshot = 6,
  kTimestamp = 8,
  kSequenceId = 10,
  kTrackEvent = 11,
  kInternedData = 12,
  kSequenceFlags = 13,
  kClockId = 58,
  kTrackDescriptor = 60,
};
}
namespace clock_snapshot {
enum : uint32_t { kClocks = 1, kPrimary = 2, kId = 1, kTimestamp = 2 };
}
namespace interned {
enum : uint32_t { kEventNames = 2, kIid = 1, kName = 2 };
}
namespace descriptor {
enum : uint32_t { kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8 };
}
namespace counter_descriptor {
enum : uint32_t { kUnit = 3 };
enum : uint64_t { kNanoseconds = 1, kCount = 2 };
} // namespace counter_descriptor
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
  kName = 23,
  kCounterValue = 30,
  kFlow = 47,
  kTerminatingFlow = 48
};
enum : uint64_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };
} // namespace event
namespace annotation {
enum : uint32_t { kInt = 4, kText = 6, kName = 10 };
}

constexpr uint32_t kSequence = 1;              // one sequence has all packets
constexpr uint64_t kStateCleared = 1;          // SEQ_INCREMENTAL_STATE_CLEARED
constexpr uint64_t kNeedsState = 2;            // SEQ_NEEDS_INCREMENTAL_STATE
constexpr uint64_t kRealtime = 1;              // BUILTIN_CLOCK_REALTIME
constexpr uint64_t kMonotonic = 3;             // BUILTIN_CLOCK_MONOTONIC
constexpr uint64_t kProcessTrack = 1ull << 62; // uuids: with a process; else stream and stack
constexpr uint64_t kCounterTrack = 1ull << 61; // or with a stream and the counter's number in it

class PerfettoFormat : public TrackFormat {
public:
  using TrackFormat::TrackFormat;

  // Writes the times of day, in front of all events.
  Result<> begin() override {
    for (const auto &[monotonic_ns, realtime_ns] : context_.recording.wall_time().notes()) {
      Protobuf snapshot;
      for (auto [id, ns] : {std::pair(kMonotonic, monotonic_ns), std::pair(kRealtime, realtime_ns)})
        snapshot.message(
            clock_snapshot::kClocks,
            Protobuf().number(clock_snapshot::kId, id).number(clock_snapshot::kTimestamp, ns));
      put(Protobuf().message(packet::kClockSnapshot,
                             snapshot.number(clock_snapshot::kPrimary, kMonotonic)));
    }
    return {};
  }

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

  void describe_process(uint32_t number, uint64_t tsc) {
    if (!processes_.try_emplace(number).second)
      return;
    const RecordedProcess &process = process_of(number);
    put(Protobuf().message(
        packet::kTrackDescriptor,
        Protobuf()
            .number(descriptor::kUuid, kProcessTrack + number)
            .message(descriptor::kProcess, Protobuf()
                                               .number(process::kPid, (uint64_t)process.pid)
                                               .text(process::kName, printable(process.comm)))));
    if (const RecordedProcess *parent = process.pid ? parent_of(process) : nullptr)
      fork_from(*parent, process, tsc);
  }

  // The process that this one was before an exec, or its parent; null: none is recorded.
  const RecordedProcess *parent_of(const RecordedProcess &process) const {
    const RecordedProcess *found = nullptr;
    for (const auto &[number, other] : context_.recording.processes())
      if (&other != &process && (other.pid == process.ppid || other.pid == process.pid) &&
          other.start_tsc <= process.start_tsc &&
          (!found || std::pair(other.pid == process.pid, other.start_tsc) >
                         std::pair(found->pid == process.pid, found->start_tsc)))
        found = &other;
    return found;
  }

  void fork_from(const RecordedProcess &parent, const RecordedProcess &child, uint64_t tsc) {
    describe_process(parent.index, tsc);
    const uint64_t flow = kProcessTrack + child.index;
    const std::vector<uint64_t> &threads = processes_[parent.index];
    Protobuf event;
    event.number(event::kType, event::kInstant)
        .number(event::kTrack, threads.size() == 1 ? threads[0] : kProcessTrack + parent.index)
        .text(event::kCategory, "fork")
        .text(event::kName, parent.pid == child.pid ? "exec" : "fork")
        .fixed64(event::kFlow, flow);
    annotate(&event, {{"pid", "", fmt::format("{}", child.pid)}});
    // With a clock of its own, a recording does not know when the process began.
    put(packet_at(child.clock.empty() ? std::min(child.start_tsc, tsc) : tsc)
            .message(packet::kTrackEvent, event));
    flows_[child.index] = flow;
  }

  // Ends the flow to a process on its first event.
  void end_flow(const Thread &thread, Protobuf *event) {
    if (flows_.empty())
      return;
    if (auto flow = flows_.extract(thread.process()))
      event->fixed64(event::kTerminatingFlow, flow.mapped());
  }

  // Describes the track of a stack, and its process, in front of an event at `tsc`.
  void describe(const Thread &thread, uint32_t stack, uint64_t tsc) {
    if (!open_.try_emplace({thread.stream(), stack}).second)
      return;
    describe_process(thread.process(), tsc);
    Protobuf track;
    track.number(descriptor::kUuid, uuid(thread, stack));
    if (stack) {
      describe(thread, 0, tsc);
      track.number(descriptor::kParent, uuid(thread, 0))
          .text(descriptor::kName, fmt::format("stack {}", stack));
    } else {
      processes_[thread.process()].push_back(uuid(thread, 0));
      track.number(descriptor::kParent, kProcessTrack + thread.process())
          .message(descriptor::kThread, Protobuf()
                                            .number(thread_descriptor::kPid, (uint64_t)thread.pid())
                                            .number(thread_descriptor::kTid, (uint64_t)thread.tid())
                                            .text(thread_descriptor::kName, thread.comm()));
    }
    put(Protobuf().message(packet::kTrackDescriptor, track));
  }

  struct Counter {
    std::string name;
    uint64_t value;
  };

  // The number of a thread's counter, whose track is described when it is new.
  size_t counter_number(const Thread &thread, const std::string &name) {
    std::vector<Counter> &counters = counters_[thread.stream()];
    for (size_t i = 0; i < counters.size(); i++)
      if (counters[i].name == name)
        return i;
    const uint64_t unit =
        name == "task-clock" ? counter_descriptor::kNanoseconds : counter_descriptor::kCount;
    put(Protobuf().message(
        packet::kTrackDescriptor,
        Protobuf()
            .number(descriptor::kUuid, counter_uuid(thread, counters.size()))
            .number(descriptor::kParent, uuid(thread, 0))
            .text(descriptor::kName, name)
            .message(descriptor::kCounter, Protobuf().number(counter_descriptor::kUnit, unit))));
    counters.push_back({name, 0});
    return counters.size() - 1;
  }

  static uint64_t counter_uuid(const Thread &thread, size_t number) {
    return kCounterTrack | ((uint64_t)thread.stream() + 1) << 24 | number;
  }

  void put_counter(const Thread &thread, size_t number, uint64_t tsc) {
    put(packet_at(tsc).message(
        packet::kTrackEvent,
        Protobuf()
            .number(event::kType, event::kCounter)
            .number(event::kTrack, counter_uuid(thread, number))
            .number(event::kCounterValue, counters_[thread.stream()][number].value)));
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
    describe(thread, step.stack, step.tsc);
    std::vector<uint64_t> values; // values of the thread's counters
    if (!counters_.empty())
      for (const Counter &counter : counters_[thread.stream()])
        values.push_back(counter.value);
    open_[{thread.stream(), step.stack}].push_back(std::move(values));
    Protobuf packet = packet_at(step.tsc), event;
    event.number(event::kType, event::kSliceBegin)
        .number(event::kTrack, uuid(thread, step.stack))
        .number(event::kNameIid, name_number(name(thread, step), &packet));
    end_flow(thread, &event);
    annotate(&event, arguments(thread, step));
    put(packet.message(packet::kTrackEvent, event));
    return {};
  }

  Result<> end_call(const Thread &thread, const Step &step, uint64_t tsc) override {
    auto &open = open_[{thread.stream(), step.stack}];
    if (open.empty())
      return {};
    const std::vector<uint64_t> begun = std::move(open.back());
    open.pop_back();
    Protobuf event;
    event.number(event::kType, event::kSliceEnd).number(event::kTrack, uuid(thread, step.stack));
    for (const CounterGrowth &counter : counter_growth(step.result)) {
      event.message(event::kAnnotation, Protobuf()
                                            .text(annotation::kName, counter.name)
                                            .number(annotation::kInt, counter.growth));
      const size_t number = counter_number(thread, counter.name);
      uint64_t &value = counters_[thread.stream()][number].value;
      value = std::max(value, (number < begun.size() ? begun[number] : 0) + counter.growth);
      put_counter(thread, number, tsc);
    }
    annotate(&event, end_values(thread, step));
    put(packet_at(tsc).message(packet::kTrackEvent, event));
    return {};
  }

  Result<> instant(const Thread &thread, const Step &step, const Instant &instant) override {
    describe(thread, step.stack, step.tsc);
    Protobuf event;
    event.number(event::kType, event::kInstant)
        .number(event::kTrack, uuid(thread, step.stack))
        .text(event::kCategory, instant.category)
        .text(event::kName, instant.name);
    end_flow(thread, &event);
    annotate(&event, instant.values);
    put(packet_at(step.tsc).message(packet::kTrackEvent, event));
    if (step.kind == Step::kLost) {
      const size_t number = counter_number(thread, "events lost");
      counters_[thread.stream()][number].value += step.lost;
      put_counter(thread, number, step.tsc);
    }
    return {};
  }

  Result<> interval(const Thread &thread, const Step &step, const Instant &what) override {
    describe(thread, step.stack, step.from());
    Protobuf begin, end;
    begin.number(event::kType, event::kSliceBegin)
        .number(event::kTrack, uuid(thread, step.stack))
        .text(event::kCategory, what.category)
        .text(event::kName, what.name);
    annotate(&begin, what.values);
    put(packet_at(step.from()).message(packet::kTrackEvent, begin));
    end.number(event::kType, event::kSliceEnd).number(event::kTrack, uuid(thread, step.stack));
    put(packet_at(step.tsc).message(packet::kTrackEvent, end));
    return {};
  }

  static void annotate(Protobuf *event, const std::vector<NamedValue> &values) {
    for (const NamedValue &value : values)
      event->message(
          event::kAnnotation,
          Protobuf().text(annotation::kName, value.name).text(annotation::kText, value.text));
  }

  bool is_first_ = true;
  std::map<uint32_t, std::vector<uint64_t>> processes_; // described ones; tracks of their threads
  std::map<uint32_t, uint64_t> flows_; // flows to processes without an event so far
  // The open calls on the tracks that are described; for each call, the values of the counters
  // where it began.
  std::map<Track, std::vector<std::vector<uint64_t>>> open_;
  std::map<uint32_t, std::vector<Counter>> counters_; // by stream
  std::unordered_map<std::string, uint64_t> names_;
};

} // namespace

std::unique_ptr<EventFormat> make_perfetto(const FormatContext &context) {
  return std::make_unique<PerfettoFormat>(context);
}

} // namespace nophook
