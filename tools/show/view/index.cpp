// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens an index that fits the recording, or begins an empty one.

#include "show/view/index.h"

#include "foundation/byte_stream.h"

#include <algorithm>
#include <sys/stat.h>

namespace nophook {

namespace {

constexpr uint64_t kIndexMagic = 0x585849504f4e0001; // "\1\0NOPIXX", little endian

struct IndexHeader {
  uint64_t magic = kIndexMagic;
  uint32_t version = kIndexVersion;
  uint32_t header_bytes = sizeof(IndexHeader);
  uint64_t fingerprint = 0; // identifies the recording
  uint64_t tables_offset = 0;
  uint64_t tables_bytes = 0;
  uint64_t tables_checksum = 0;
  uint64_t checksum = 0; // hash of the fields above
};
static_assert(sizeof(IndexHeader) == kIndexHeaderBytes);

// A hash that identifies a recording, of its size, its time of change, and its first and last
// bytes.
uint64_t fingerprint_of(const InputFile &file) {
  constexpr size_t kPart = 4096;
  struct stat status = {};
  std::vector<uint8_t> bytes(2 * kPart + 2 * sizeof(uint64_t));
  if (::fstat(file.descriptor(), &status))
    return 0;
  uint64_t numbers[] = {(uint64_t)status.st_size, (uint64_t)status.st_mtim.tv_sec * 1000000000 +
                                                      (uint64_t)status.st_mtim.tv_nsec};
  std::memcpy(bytes.data(), numbers, sizeof numbers);
  size_t part = std::min<size_t>(kPart, (size_t)status.st_size);
  if (!file.read(0, bytes.data() + sizeof numbers, part) ||
      !file.read((uint64_t)status.st_size - part, bytes.data() + sizeof numbers + kPart, part))
    return 0;
  return hash_of(bytes.data(), bytes.size());
}

// Reads the header. False: the file is no complete index of the recording.
bool read_header(const IndexFile &index, const InputFile &recording, IndexHeader *header) {
  return index.read(0, header, sizeof *header) && header->magic == kIndexMagic &&
         header->version == kIndexVersion && header->header_bytes == sizeof *header &&
         header->checksum == hash_of(header, offsetof(IndexHeader, checksum)) &&
         header->fingerprint == fingerprint_of(recording) &&
         header->tables_offset <= index.size() &&
         header->tables_bytes <= index.size() - header->tables_offset;
}

bool read_section(const IndexFile &index, uint64_t offset, uint64_t bytes, uint64_t checksum,
                  std::vector<uint8_t> *section) {
  section->resize(bytes);
  return index.read(offset, section->data(), bytes) && hash_of(section->data(), bytes) == checksum;
}

} // namespace

RecordingIndex::RecordingIndex(Recording &recording, FunctionNumbers::KeyOf key_of)
    : recording_(recording), functions_(std::move(key_of)) {
  forget();
}

void RecordingIndex::forget() {
  streams_.clear();
  subbufs_ = 0;
  for (const auto &[number, recorded] : recording_.streams()) {
    subbufs_ += recorded.subbufs.size();
    auto stream = std::make_unique<IndexedStream>();
    stream->stream = number;
    streams_.push_back(std::move(stream));
  }
}

// The time of the first event of all, and about that of the last one: the resolution of the levels
// needs both.
void RecordingIndex::find_ends() {
  uint64_t first = ~uint64_t{0}, last = 0;
  for (const auto &[number, recorded] : recording_.streams()) {
    SubbufView view;
    for (const auto &subbuf : recorded.subbufs)
      if (recording_.load(subbuf, &view)) {
        Decoder decoder;
        Event event;
        decoder.begin(view.header, view.words);
        first = std::min(first, decoder.next(&event) ? event.tsc : view.header.time_base);
        break;
      }
    if (!recorded.subbufs.empty() && recording_.load(recorded.subbufs.back(), &view)) {
      Decoder decoder;
      Event event;
      for (decoder.begin(view.header, view.words); decoder.next(&event);)
        last = std::max(last, event.tsc);
    }
  }
  origin_ = first == ~uint64_t{0} ? 0 : first;
  duration_ = last ? time_of(last) : 0;
}

IndexedStream *RecordingIndex::stream(uint32_t number) {
  for (auto &stream : streams_)
    if (stream->stream == number)
      return stream.get();
  return nullptr;
}

FunctionSums RecordingIndex::sums(uint32_t function) const {
  FunctionSums all;
  auto add = [&](const std::vector<FunctionSums> &sums) {
    if (function >= sums.size())
      return;
    all.calls += sums[function].calls;
    all.total += sums[function].total;
  };
  for (const auto &stream : streams_)
    if (!complete) {
      StreamGuard guard(*stream); // its reader takes sums_lock_ while it holds this
      add(stream->sums);
    }
  std::lock_guard guard(sums_lock_);
  add(sums_);
  return all;
}

double RecordingIndex::progress() const {
  constexpr double kMost = 0.999;
  if (complete)
    return 1;
  return subbufs_ ? std::min(kMost, (double)subbufs_read / (double)subbufs_) : kMost;
}

void RecordingIndex::add_sums(const std::vector<FunctionSums> &sums) {
  std::lock_guard guard(sums_lock_);
  if (sums_.size() < sums.size())
    sums_.resize(sums.size());
  for (size_t i = 0; i < sums.size(); i++) {
    sums_[i].calls += sums[i].calls;
    sums_[i].total += sums[i].total;
  }
}

bool RecordingIndex::read(const SlicePage &page, std::vector<Slice> *slices) {
  if (read_page(*file_, page, slices))
    return true;
  damaged_ = true;
  return false;
}

bool RecordingIndex::read(const IndexedBlock &block, std::vector<uint8_t> *state,
                          std::vector<uint32_t> *set) {
  std::vector<uint8_t> both(block.state_bytes + size_t{block.functions_bytes});
  if (!file_->read(block.offset, both.data(), both.size()) ||
      (uint32_t)hash_of(both.data(), both.size()) != block.checksum) {
    damaged_ = true;
    return false;
  }
  if (set)
    *set = decode_set(std::span(both).subspan(block.state_bytes));
  both.resize(block.state_bytes);
  if (state)
    *state = std::move(both);
  return true;
}

void RecordingIndex::add_damage(Recording::Damages &&damages) {
  std::lock_guard guard(damage_lock_);
  recording_.add_damage(std::move(damages));
}

std::string RecordingIndex::damage() const {
  std::lock_guard guard(damage_lock_);
  return recording_.damage();
}

void RecordingIndex::note_last(uint64_t time) {
  uint64_t known = duration_;
  while (time > known && !duration_.compare_exchange_weak(known, time)) {
  }
}

Result<> RecordingIndex::save() {
  ByteWriter out;
  out.put(origin_);
  out.put(duration_.load());
  out.put_all(functions_.all());
  {
    std::lock_guard guard(sums_lock_);
    out.put_all(sums_);
  }
  out.put((uint32_t)streams_.size());
  for (const auto &stream : streams_) {
    out.put(stream->stream);
    out.put_text(stream->name);
    out.put(stream->events);
    out.put(stream->ended);
    out.put(stream->ends_only);
    out.put(stream->notes_left_out);
    out.put_all(stream->blocks);
    out.put((uint32_t)stream->notes.size());
    for (const IndexedNote &note : stream->notes) {
      out.put(note.kind);
      out.put(note.from);
      out.put(note.time);
      out.put(note.lost);
      out.put_text(note.text);
    }
    out.put((uint32_t)stream->tracks.size());
    for (const auto &track : stream->tracks) {
      out.put(track->stack);
      out.put(track->depth);
      out.put(track->calls);
      out.put(track->first);
      out.put(track->last);
      out.put((uint32_t)track->levels.all().size());
      for (const Level &level : track->levels.all()) {
        out.put(level.resolution);
        out.put_all(level.pages);
      }
    }
  }
  std::vector<uint8_t> tables = out.take();
  IndexHeader header;
  header.fingerprint = fingerprint_of(recording_.file());
  header.tables_bytes = tables.size();
  header.tables_checksum = hash_of(tables.data(), tables.size());
  header.tables_offset = file_->append(tables);
  header.checksum = hash_of(&header, offsetof(IndexHeader, checksum));
  if (file_->failed() || !file_->write_at(0, &header, sizeof header))
    return error_at(recording_.path() + ".index",
                    "cannot be written: the next view of this recording makes it again");
  if (!file_->publish())
    return system_error(recording_.path() + ".index", "cannot be replaced");
  return {};
}

bool RecordingIndex::load(const std::string &path) {
  auto opened = IndexFile::open(path);
  IndexHeader header;
  std::vector<uint8_t> tables;
  if (!opened || !read_header(**opened, recording_.file(), &header) ||
      !read_section(**opened, header.tables_offset, header.tables_bytes, header.tables_checksum,
                    &tables))
    return false;
  if (!load_tables(tables)) {
    forget();
    return false;
  }
  file_ = std::move(*opened);
  complete = true;
  return true;
}

bool RecordingIndex::load_tables(std::span<const uint8_t> tables) {
  ByteReader in(tables);
  uint64_t duration = 0;
  std::vector<FunctionNumbers::Function> functions;
  std::vector<FunctionSums> sums;
  uint32_t streams = 0;
  in.get(&origin_);
  in.get(&duration);
  in.get_all(&functions);
  in.get_all(&sums);
  in.get(&streams);
  if (!in.ok() || streams != streams_.size())
    return false;
  for (auto &stream : streams_) {
    in.get(&stream->stream);
    in.get_text(&stream->name);
    in.get(&stream->events);
    in.get(&stream->ended);
    in.get(&stream->ends_only);
    in.get(&stream->notes_left_out);
    in.get_all(&stream->blocks);
    uint32_t notes = 0, tracks = 0;
    in.get(&notes);
    for (uint32_t i = 0; i < notes && in.ok(); i++) {
      IndexedNote &note = stream->notes.emplace_back();
      in.get(&note.kind);
      in.get(&note.from);
      in.get(&note.time);
      in.get(&note.lost);
      in.get_text(&note.text);
    }
    in.get(&tracks);
    for (uint32_t i = 0; i < tracks && in.ok(); i++) {
      auto track = std::make_unique<IndexedTrack>(Levels(std::vector<Level>()));
      uint32_t levels = 0;
      in.get(&track->stack);
      in.get(&track->depth);
      in.get(&track->calls);
      in.get(&track->first);
      in.get(&track->last);
      in.get(&levels);
      std::vector<Level> all;
      for (uint32_t l = 0; l < levels && in.ok(); l++) {
        in.get(&all.emplace_back().resolution);
        in.get_all(&all.back().pages);
      }
      track->levels = Levels(std::move(all));
      stream->tracks.push_back(std::move(track));
    }
    stream->done = true;
  }
  if (!in.ok())
    return false;
  duration_ = duration;
  functions_.restore(functions);
  add_sums(sums);
  return true;
}

} // namespace nophook
