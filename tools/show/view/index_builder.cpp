// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decodes each stream, and adds its calls, notes and sums to the index.

#include "show/view/index_builder.h"

#include "read/steps/marks.h"
#include "read/steps/name_changes.h"
#include "show/view/step_slice.h"

#include <algorithm>

namespace nophook {

namespace {

// The number of steps for which a stream is locked at a time.
constexpr int kStepsAtOnce = 8192;

// States of decoders take at most one byte of the index for this many bytes of the recording.
constexpr uint64_t kBytesPerStateByte = 32;

std::string note_text(const Step &step) {
  const Mark mark = read_mark(step);
  const auto *event = std::get_if<ProbeEvent>(&mark);
  std::string text = event ? event->name : mark_text(mark);
  if (text.size() > kMostNoteText) {
    text.resize(kMostNoteText);
    while (!text.empty() && (text.back() & 0xc0) == 0x80) // not within a character
      text.pop_back();
    if (!text.empty() && (text.back() & 0x80))
      text.pop_back();
    text += "…";
  }
  return text;
}

// Fills one stream of the index.
class StreamReader {
public:
  StreamReader(RecordingIndex &index, IndexedStream &stream)
      : index_(index), stream_(stream), recorded_(index.recording().streams().at(stream.stream)),
        functions_(index.functions(), recorded_.process),
        timeline_([this](Timeline::Words *words) { return next_subbuf(words); }) {
    timeline_.set_ns_per_tick(index.recording().clock().ns_per_tick);
    timeline_.add_source(name_changes(index.recording(), stream.stream));
  }

  // Reads some steps; false: the stream is at its end.
  bool read_some() {
    std::lock_guard guard(stream_.lock);
    Step step;
    for (int i = 0; i < kStepsAtOnce; i++) {
      if (!timeline_.next(&step)) {
        while (timeline_.next_open(&step))
          add(step);
        finish();
        return false;
      }
      add(step);
      go_to_next_block();
    }
    for (auto &track : stream_.tracks)
      track->levels.spill(write_);
    return true;
  }

private:
  bool next_subbuf(Timeline::Words *words) {
    while (next_ < recorded_.subbufs.size()) {
      uint32_t number = (uint32_t)next_++;
      index_.subbufs_read++;
      SubbufView view;
      if (!index_.recording().load(recorded_.subbufs[number], &view, &damages_))
        continue;
      words->header = view.header;
      words->words = view.words;
      words->memory = std::move(view.memory);
      const char *comm = words->header.comm;
      stream_.name = printable({comm, ::strnlen(comm, sizeof words->header.comm)});
      begin_block(number, words->header.time_base, words->words.size() * sizeof(uint64_t));
      return true;
    }
    return false;
  }

  // The timeline calls this while it makes a step, which is the last one of the previous block.
  void begin_block(uint32_t number, uint64_t tsc, uint64_t bytes) {
    go_to_next_block();
    IndexedBlock &block = next_block_.emplace();
    block.subbuf = number;
    block.first = block.last = index_.time_of(tsc);
    state_credit_ += bytes / kBytesPerStateByte;
    if (auto state = timeline_.state()) {
      next_state_ = encode_state(*state);
      if (next_state_.size() > state_credit_ && number)
        next_state_.clear();
      state_credit_ -= std::min<uint64_t>(state_credit_, next_state_.size());
    }
  }

  void go_to_next_block() {
    if (!next_block_)
      return;
    end_block(next_block_->first);
    stream_.blocks.push_back(*next_block_);
    next_block_.reset();
    state_ = std::move(next_state_);
    next_state_.clear();
  }

  // Completes the last block, whose end is known now, and writes its state and functions.
  void end_block(uint64_t time) {
    if (stream_.blocks.empty())
      return;
    IndexedBlock &block = stream_.blocks.back();
    block.last = std::max(block.first, time);
    std::sort(met_.begin(), met_.end());
    met_.erase(std::unique(met_.begin(), met_.end()), met_.end());
    std::vector<uint8_t> set = encode_set(met_);
    met_.clear();
    block.state_bytes = (uint32_t)state_.size();
    block.functions_bytes = (uint32_t)set.size();
    state_.insert(state_.end(), set.begin(), set.end());
    block.checksum = (uint32_t)hash_of(state_.data(), state_.size());
    block.offset = index_.file()->append(state_);
    state_.clear();
  }

  // Records that the block has a call of the function.
  void meet(uint32_t function) {
    if (function >= met_in_.size())
      met_in_.resize(function + size_t{1}, UINT32_MAX);
    if (uint32_t block = (uint32_t)stream_.blocks.size(); met_in_[function] != block) {
      met_in_[function] = block;
      met_.push_back(function);
    }
  }

  IndexedTrack &track(uint32_t stack) {
    if (last_track_ && last_track_->stack == stack)
      return *last_track_;
    for (auto &track : stream_.tracks)
      if (track->stack == stack)
        return *(last_track_ = track.get());
    stream_.tracks.push_back(std::make_unique<IndexedTrack>(Levels(index_.duration())));
    stream_.tracks.back()->stack = stack;
    return *(last_track_ = stream_.tracks.back().get());
  }

  void note(IndexedNote::Kind kind, uint64_t from, uint64_t time, uint64_t lost, std::string text) {
    if (stream_.notes.size() >= kMostNotes)
      stream_.notes_left_out++;
    else
      stream_.notes.push_back({kind, from, time, lost, std::move(text)});
  }

  void add(const Step &step) {
    uint64_t time = index_.time_of(step.tsc);
    last_ = std::max(last_, time);
    if (step.is_mark()) {
      if (std::string text = note_text(step); !text.empty())
        note(IndexedNote::kMark, time, time, 0, std::move(text));
      return;
    }
    if (step.kind == Step::kLost) {
      note(IndexedNote::kLoss, previous_, time, step.lost, "");
      earliest_ = time;
      return;
    }
    previous_ = time;
    if (step.shape == Step::kBegin)
      return meet(functions_.number(step.id));
    stream_.ends_only |= step.is_timed();
    if (step.end == Step::kThreadEnd && !stream_.ended) {
      stream_.ended = true;
      note(IndexedNote::kEnd, time, time, 0, "");
    }
    uint32_t function = functions_.number(step.id);
    meet(function);
    auto slice = slice_of(index_, step, time, function, earliest_);
    if (!slice)
      return;
    last_ = std::max(last_, slice->end());
    IndexedTrack &into = track(step.stack);
    into.depth = std::max(into.depth, slice->depth + 1u);
    into.first = std::min(into.first, slice->start);
    into.last = std::max(into.last, slice->end());
    into.calls += step.kind != Step::kOuterCall;
    into.levels.add(*slice);
    if (function >= stream_.sums.size())
      stream_.sums.resize(function + size_t{1});
    stream_.sums[function].calls += step.kind != Step::kOuterCall;
    stream_.sums[function].total += slice->duration;
  }

  void finish() {
    for (auto &track : stream_.tracks)
      track->levels.finish(write_);
    go_to_next_block();
    end_block(last_);
    stream_.events = recorded_.events;
    index_.add_sums(stream_.sums);
    stream_.sums = {};
    index_.note_last(last_);
    index_.add_damage(std::move(damages_));
    stream_.done.store(true, std::memory_order_release); // pairs with StreamGuard
  }

  RecordingIndex &index_;
  IndexedStream &stream_;
  const RecordedStream &recorded_;
  Levels::WritePage write_ = [this](std::span<const Slice> slices) {
    return write_page(*index_.file(), slices);
  };
  size_t next_ = 0; // index in recorded_.subbufs
  Recording::Damages damages_;
  uint64_t state_credit_ = 0; // bytes that states may take
  std::optional<IndexedBlock> next_block_;
  std::vector<uint8_t> next_state_;
  std::vector<uint8_t> state_;   // state of the last block
  std::vector<uint32_t> met_;    // functions of the last block
  std::vector<uint32_t> met_in_; // by function: the number of blocks when it was last met
  uint64_t previous_ = 0;        // time of the last event
  uint64_t earliest_ = 0;        // time since when no event is missing
  uint64_t last_ = 0;
  IndexedTrack *last_track_ = nullptr;
  ProcessFunctions functions_;
  Timeline timeline_;
};

} // namespace

Result<std::unique_ptr<IndexBuilder>>
IndexBuilder::start(RecordingIndex &index, const std::string &path, unsigned workers) {
  auto file = IndexFile::create(path, index.recording().file().descriptor());
  NOPHOOK_TRY(file);
  index.set_file(std::move(*file));
  index.find_ends();
  std::unique_ptr<IndexBuilder> builder(new IndexBuilder(index));
  builder->left_ = index.streams().size();
  workers = std::max(1u, std::min<unsigned>(workers, (unsigned)index.streams().size()));
  builder->workers_ = workers;
  for (unsigned i = 0; i < workers; i++)
    builder->threads_.emplace_back([raw = builder.get()] { raw->work(); });
  return builder;
}

IndexBuilder::~IndexBuilder() {
  stop_ = true;
  for (std::thread &thread : threads_)
    thread.join();
}

Result<> IndexBuilder::wait() {
  for (std::thread &thread : threads_)
    thread.join();
  threads_.clear();
  std::lock_guard guard(saved_lock_);
  return saved_;
}

void IndexBuilder::read_stream(IndexedStream &stream) {
  StreamReader reader(index_, stream);
  while (!stop_ && reader.read_some()) {
  }
}

void IndexBuilder::work() {
  auto &streams = index_.streams();
  for (size_t i = next_++; i < streams.size() && !stop_; i = next_++) {
    read_stream(*streams[i]);
    left_--;
  }
  // The last worker writes the tables.
  if (!stop_ && !left_ && !index_.complete.exchange(true)) {
    auto saved = index_.save();
    std::lock_guard guard(saved_lock_);
    saved_ = std::move(saved);
  }
  workers_--;
}

} // namespace nophook
