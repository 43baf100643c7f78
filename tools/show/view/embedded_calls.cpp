// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two passes: one finds the longest calls, the other their notes.

#include "show/view/embedded_calls.h"

#include "foundation/json.h"
#include "show/view/block_reader.h"
#include "show/view/step_slice.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace nophook {

namespace {

constexpr size_t kCallBytes = 4 + 2 + 2 + 1 + 4 + 8 + 8; // per call, before base64

// Keeps the longest calls of the whole recording.
class LongestCalls {
public:
  explicit LongestCalls(size_t most) : most_(std::max<size_t>(most, 1)) {}

  void add(uint32_t thread, const Slice &slice) {
    if (slice.duration < least_)
      return void(left_out_++);
    calls_.push_back({thread, kUnknownCpu, slice});
    if (calls_.size() >= 2 * most_)
      cut();
  }

  // The longest calls, at most `most` of them, by start.
  std::vector<EmbeddedCall> take(size_t most) {
    most_ = std::clamp<size_t>(most, 1, most_);
    cut();
    std::ranges::sort(calls_, [](const EmbeddedCall &a, const EmbeddedCall &b) {
      return a.slice.start != b.slice.start ? a.slice.start < b.slice.start
                                            : a.slice.depth < b.slice.depth;
    });
    return std::move(calls_);
  }
  uint64_t left_out() const { return left_out_; }

private:
  void cut() {
    if (calls_.size() <= most_)
      return;
    std::nth_element(calls_.begin(), calls_.begin() + (ptrdiff_t)most_, calls_.end(),
                     [](const EmbeddedCall &a, const EmbeddedCall &b) {
                       return a.slice.duration > b.slice.duration;
                     });
    least_ = calls_[most_].slice.duration;
    left_out_ += calls_.size() - most_;
    calls_.resize(most_);
  }

  size_t most_;
  uint64_t least_ = 0; // duration from which a call still finds room
  uint64_t left_out_ = 0;
  std::vector<EmbeddedCall> calls_;
};

// Keeps the notes of the longest calls, within a number of bytes.
class LongestNotes {
public:
  explicit LongestNotes(uint64_t bytes) : most_(bytes) {}

  void add(uint32_t call, uint64_t duration, std::string text) {
    if (duration < least_)
      return void(left_out_++);
    bytes_ += text.size() + kComma;
    notes_.push_back({duration, call, std::move(text)});
    if (bytes_ > 2 * most_)
      cut();
  }

  // The notes as a JSON object by the number of the call.
  std::string take() {
    cut();
    std::string all = "{";
    for (const Note &note : notes_)
      all += (all.size() > 1 ? "," : "") + note.text;
    return all + "}";
  }
  uint64_t left_out() const { return left_out_; }

private:
  static constexpr size_t kComma = 1;
  struct Note {
    uint64_t duration;
    uint32_t call;
    std::string text;
  };

  void cut() {
    if (bytes_ <= most_)
      return;
    std::ranges::sort(notes_, [](const Note &a, const Note &b) {
      return a.duration != b.duration ? a.duration > b.duration : a.call < b.call;
    });
    size_t kept = 0;
    for (bytes_ = 0; kept < notes_.size() && bytes_ + notes_[kept].text.size() + kComma <= most_;
         kept++)
      bytes_ += notes_[kept].text.size() + kComma;
    if (kept < notes_.size())
      least_ = notes_[kept].duration + 1;
    left_out_ += notes_.size() - kept;
    notes_.resize(kept);
  }

  uint64_t most_;
  uint64_t bytes_ = 0;
  uint64_t least_ = 0;
  uint64_t left_out_ = 0;
  std::vector<Note> notes_;
};

// Calls visit(process, thread, step, slice) for each step of a call in the recording; there is a
// slice if the step completes the call.
template <class Visit> void for_each_step(RecordingIndex &index, Tracks &tracks, Visit visit) {
  size_t count = tracks.update();
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> threads; // by stream and stack
  std::vector<IndexedStream *> streams;
  for (size_t i = 0; i < count; i++) {
    Tracks::Place place = *tracks.at(i);
    StreamGuard guard(*place.stream);
    threads[{place.stream->stream, place.stream->tracks[place.track]->stack}] = (uint32_t)i;
    if (std::ranges::find(streams, place.stream) == streams.end())
      streams.push_back(place.stream);
  }
  for (IndexedStream *stream : streams) {
    StreamGuard guard(*stream);
    const uint32_t process = index.recording().streams().at(stream->stream).process;
    ProcessFunctions functions(index.functions(), process);
    BlockReader reader(index, *stream, 0, stream->blocks.size());
    Step step;
    while (reader.next(&step) || reader.next_open(&step)) {
      if (!step.is_of_call())
        continue;
      auto slice = slice_of(index, step, 0, 0);
      if (slice)
        slice->function = functions.number(step.id);
      visit(process, threads[{stream->stream, step.stack}], step, slice);
    }
  }
}

struct Place {
  uint64_t start;
  uint32_t thread;
  uint16_t depth;
  bool operator==(const Place &) const = default;
};

struct HashOfPlace {
  size_t operator()(const Place &place) const {
    return (place.start * 0x9e3779b97f4a7c15) ^ ((uint64_t)place.thread << 32 | place.depth);
  }
};

// Adds the facts of a call that only its events have.
class Annotator {
public:
  Annotator(RecordingIndex &index, ViewNames &names, std::vector<EmbeddedCall> &calls,
            LongestNotes &notes)
      : index_(index), names_(names), calls_(calls), notes_(notes) {
    for (uint32_t i = 0; i < calls.size(); i++)
      if (!(calls[i].slice.flags & Slice::kNoBegin))
        numbers_.try_emplace(place_of(calls[i].thread, calls[i].slice), i);
  }

  void take(uint32_t process, uint32_t thread, const Step &step,
            const std::optional<Slice> &slice) {
    Place place = {index_.time_of(step.tsc), thread,
                   (uint16_t)std::min<uint32_t>(step.depth, UINT16_MAX)};
    if (slice)
      place = place_of(thread, *slice);
    auto at = numbers_.find(place);
    if (at == numbers_.end())
      return;
    EmbeddedCall &call = calls_[at->second];
    if (step.begins() && !step.is_timed()) {
      call.cpu = (uint16_t)std::min<uint32_t>(step.cpu, kUnknownCpu);
      if (!step.arguments.empty())
        open_[at->second] = names_.arguments(process, step);
    }
    if (step.shape == Step::kBegin)
      return;
    Json note = Json::object();
    bool has_note = false;
    if (auto arguments = open_.find(at->second); arguments != open_.end()) {
      Json list = Json::list();
      for (const std::string &argument : arguments->second)
        list.push(argument);
      has_note = !arguments->second.empty();
      note.add("arguments", list);
      open_.erase(arguments);
    }
    if (std::string result = names_.result(process, step); !result.empty()) {
      note.add("result", result);
      has_note = true;
    }
    // The call's flags show that it was left or is open, but not why.
    if (step.ends() && step.end != Step::kReturned && step.end != Step::kStillOpen) {
      note.add("how", end_name(step.end));
      has_note = true;
    }
    if (has_note)
      notes_.add(at->second, call.slice.duration,
                 fmt::format("\"{}\":{}", at->second, script_text(note.text())));
  }

private:
  static Place place_of(uint32_t thread, const Slice &slice) {
    return {slice.start, thread, slice.depth};
  }

  RecordingIndex &index_;
  ViewNames &names_;
  std::vector<EmbeddedCall> &calls_;
  LongestNotes &notes_;
  std::unordered_map<Place, uint32_t, HashOfPlace> numbers_;
  std::unordered_map<uint32_t, std::vector<std::string>> open_; // arguments of open calls
};

} // namespace

std::string script_text(std::string_view text) {
  std::string out;
  for (size_t at; (at = text.find('<')) != std::string_view::npos; text.remove_prefix(at + 1))
    out.append(text.substr(0, at)).append("\\u003c");
  return out.append(text);
}

EmbeddedCalls embedded_calls(RecordingIndex &index, ViewNames &names, Tracks &tracks,
                             uint64_t bytes) {
  // base64 has four characters for three bytes.
  LongestCalls longest((size_t)(bytes / 4 * 3 / kCallBytes));
  bool has_values = false;
  for_each_step(index, tracks, [&](uint32_t, uint32_t thread, const Step &step, const auto &slice) {
    has_values |= !step.arguments.empty() || !step.result.empty();
    if (slice)
      longest.add(thread, *slice);
  });
  // Values need room, too: if there are values, calls leave them a third.
  const uint64_t for_calls = has_values ? bytes / 3 * 2 : bytes;
  EmbeddedCalls embedded;
  embedded.calls = longest.take((size_t)(for_calls / 4 * 3 / kCallBytes));
  embedded.left_out = longest.left_out();
  uint64_t used = embedded.calls.size() * kCallBytes / 3 * 4;
  LongestNotes notes(bytes - std::min(bytes, used));
  Annotator annotator(index, names, embedded.calls, notes);
  for_each_step(index, tracks,
                [&](uint32_t process, uint32_t thread, const Step &step, const auto &slice) {
                  annotator.take(process, thread, step, slice);
                });
  embedded.notes = notes.take();
  embedded.notes_left_out = notes.left_out();
  return embedded;
}

} // namespace nophook
