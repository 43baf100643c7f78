// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks, checks and indexes the chunks.

#include "read/recording/reader.h"

#include "read/recording/packed.h"
#include "read/recording/thread_name.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>

namespace nophook {

namespace {

bool is_chunk(const ChunkHeader &header) {
  return header.magic == kChunkMagic && header.bytes % 8 == 0 && header.bytes <= kChunkMaxBytes;
}

// The error "is not a recording of nophook", with the kind of the file and advice, as far as its
// first bytes show them.
std::string no_recording(const InputFile &file) {
  constexpr size_t kElfType = 16;
  constexpr uint8_t kCore = 4;
  constexpr std::pair<std::string_view, const char *> kKinds[] = {
      {"!<arch>\n", "is an archive of objects, not a recording: nophook record writes one"},
      {"PERFILE2", "is a recording of perf: perf report shows it"},
      {"\x17\x08\x44tracing", "is a recording of trace-cmd: trace-cmd report shows it"},
      {"Ftrace!\n", "is a part of a recording of uftrace: uftrace report shows it"},
      {"{",
       "is JSON, not a recording: nophook record writes one, and the viewer of its format shows "
       "an export"}};
  char first[32] = {};
  // A file that cannot be read is described as an empty one.
  (void)file.read(0, first, std::min<uint64_t>(sizeof first, file.size()));
  const std::string_view bytes(first, sizeof first);
  if (file.size() == 0)
    return "is empty: no recording was written to it";
  if (bytes.starts_with("\x7f"
                        "ELF"))
    return (uint8_t)bytes[kElfType] == kCore
               ? "is a core file without buffers: its program was not traced"
               : "is a program or a library, not a recording: nophook record PROGRAM makes one, "
                 "and "
                 "nophook list shows what can be traced in it";
  for (const auto &[magic, text] : kKinds)
    if (bytes.starts_with(magic))
      return text;
  return "is not a recording of nophook";
}

} // namespace

Result<Recording> Recording::open_file(const std::string &path, uint64_t *first_chunk) {
  auto file = InputFile::open(path);
  NOPHOOK_TRY(file);
  Recording recording;
  recording.file_ = std::move(*file);
  FileHeader header;
  if (!recording.file_.read(0, &header, sizeof header) || header.magic != kRecordingMagic)
    return error_at(path, no_recording(recording.file_));
  if (header.version > kRecordingVersion)
    return error_at(
        path, fmt::format("is a recording of version {}; this program reads versions up to {}",
                          header.version, kRecordingVersion));
  if (header.header_bytes < sizeof(FileHeader) || header.header_bytes % 8 ||
      header.header_bytes > recording.file_.size())
    return error_at(path, "is damaged in its first bytes");
  *first_chunk = header.header_bytes;
  return recording;
}

Result<Recording> Recording::open(const std::string &path) {
  uint64_t first_chunk = 0;
  auto recording = open_file(path, &first_chunk);
  NOPHOOK_TRY(recording);
  if (!recording->index_parts()) {
    recording = open_file(path, &first_chunk);
    NOPHOOK_TRY(recording);
    recording->index(first_chunk);
  }
  recording->sort_subbufs();
  recording->compute_clock_rate();
  recording->note_wall_time();
  recording->name_threads();
  return recording;
}

std::optional<uint64_t> Recording::find_end() const {
  std::vector<uint8_t> last(std::min<uint64_t>(file_.size() & ~7, kEndMaxBytes));
  const uint64_t first = (file_.size() & ~7) - last.size();
  ChunkHeader header;
  if (last.size() < sizeof header || !file_.read(first, last.data(), last.size()))
    return std::nullopt;
  for (size_t at = last.size() - sizeof header; at >= sizeof(uint64_t); at -= 8) {
    std::memcpy(&header, &last[at], sizeof header);
    if (is_chunk(header) && header.type == ChunkType::kEnd &&
        first + at + sizeof header + header.bytes == file_.size())
      return first + at;
  }
  return std::nullopt;
}

bool Recording::index_parts() {
  const std::optional<uint64_t> end = find_end();
  uint64_t at = 0;
  ChunkHeader header;
  if (!end || !file_.read(*end - sizeof at, &at, sizeof at) || at >= *end ||
      !file_.read(at, &header, sizeof header) || !is_chunk(header) ||
      header.type != ChunkType::kParts || at + sizeof header + header.bytes != *end)
    return false;
  std::vector<uint8_t> payload(header.bytes);
  if (!file_.read(at + sizeof header, payload.data(), payload.size()) ||
      chunk_checksum(header, payload) != header.checksum)
    return false;
  std::optional<RecordingParts> parts = decode_parts(payload);
  if (!parts)
    return false;
  streams_ = std::move(parts->streams);
  is_packed_ = parts->is_packed;
  parts->chunks.push_back(*end);
  for (uint64_t chunk : parts->chunks) {
    if (!file_.read(chunk, &header, sizeof header) || !is_chunk(header) ||
        header.type == ChunkType::kSubbuf || header.type == ChunkType::kPacked ||
        header.bytes > file_.size() - chunk - sizeof header)
      return false;
    index_chunk(header, chunk);
  }
  return ended_;
}

namespace {

// Headers are 64 KiB apart, so a disk is asked for one page at a time, each when the one before it
// has come: 10 GiB take ten seconds. Most chunks are as long as the one before. So this asks for
// the pages where the next headers would be in that case, without waiting for them.
class HeaderReadahead {
public:
  explicit HeaderReadahead(const InputFile &file) : file_(file) {}

  // The header at `at` is the next to be read, and the chunk before it took `stride` bytes.
  void go_on(uint64_t at, uint64_t stride) {
    if (stride != stride_ || asked_ < at) {
      stride_ = stride;
      asked_ = at;
    }
    for (; stride_ >= kNear && asked_ < file_.size() && asked_ - at < kChunks * stride_;
         asked_ += stride_)
      // The advice may fail: then reading takes longer.
      (void)::posix_fadvise(file_.descriptor(), (off_t)asked_, sizeof(ChunkHeader),
                            POSIX_FADV_WILLNEED);
  }

private:
  static constexpr uint64_t kChunks = 128; // number of chunks that are requested ahead
  // A nearer page is read together with the present one anyway.
  static constexpr uint64_t kNear = 16 << 10;

  const InputFile &file_;
  uint64_t stride_ = 0;
  uint64_t asked_ = 0; // end of the requested part
};

} // namespace

void Recording::index(uint64_t at) {
  HeaderReadahead readahead(file_);
  while (at < file_.size() && !ended_) {
    ChunkHeader header;
    uint64_t left = file_.size() - at;
    if (left < sizeof header)
      return add_damage(at,
                        fmt::format("the recording is cut: its last {} bytes are skipped", left));
    if (!file_.read(at, &header, sizeof header))
      return add_damage(at, "the file became shorter while it was read");
    if (!is_chunk(header))
      return add_damage(at, fmt::format("the recording is damaged: {} bytes are skipped", left));
    if (header.bytes > left - sizeof header)
      return add_damage(at,
                        fmt::format("the recording is cut: its last {} bytes are skipped", left));
    index_chunk(header, at);
    at += sizeof header + header.bytes;
    readahead.go_on(at, sizeof header + header.bytes);
  }
  if (!ended_)
    add_damage(at, "the end is missing: the recorder was killed, or the file is cut");
}

// Sorts the sub-buffers, which a recorder writes in the order in which it finds them.
void Recording::sort_subbufs() {
  for (auto &[index, stream] : streams_)
    std::sort(stream.subbufs.begin(), stream.subbufs.end(), [](const auto &a, const auto &b) {
      return a.seq != b.seq ? a.seq < b.seq : a.chunk < b.chunk;
    });
}

// Takes the name in the thread's last sub-buffer, unless the recorder has read a later one.
void Recording::follow_last_subbuf(RecordedStream &stream) const {
  nophook_subbuf last;
  if (stream.subbufs.empty() ||
      !file_.read(stream.subbufs.back().chunk + sizeof(ChunkHeader), &last, sizeof last) ||
      !last.comm[0])
    return;
  const uint64_t ns = clock_.at(last.time_base);
  if (stream.names.empty() || (!clock_.counts_events && ns > stream.names.back().ns))
    stream.names.push_back({ns, std::string(last.comm, strnlen(last.comm, sizeof last.comm))});
}

// Gives each thread one name, the last one.
void Recording::name_threads() {
  for (auto &[index, stream] : streams_) {
    const auto process = processes_.find(stream.process);
    const std::string program = process == processes_.end() ? "" : process->second.comm;
    follow_last_subbuf(stream);
    if (!stream.names.empty())
      stream.name = stream.names.back().name;
    else if (!program.empty())
      stream.name = name_of_program(program);
  }
}

void Recording::index_chunk(const ChunkHeader &header, uint64_t offset) {
  if (header.type == ChunkType::kSubbuf || header.type == ChunkType::kPacked)
    return index_subbuf(header, offset);
  auto memory = std::make_shared<std::vector<uint8_t>>(header.bytes);
  const std::vector<uint8_t> &payload = *memory;
  if (!file_.read(offset + sizeof header, memory->data(), header.bytes) ||
      chunk_checksum(header, payload) != header.checksum)
    return add_damage(offset, "a part with a wrong checksum is skipped");
  std::string_view text(reinterpret_cast<const char *>(payload.data()), payload.size());
  JsonFields fields;
  if (header.type == ChunkType::kInfo || header.type == ChunkType::kProcess ||
      header.type == ChunkType::kEnd)
    if (!fields.read(text))
      return add_damage(offset, "a description that is not a JSON object is skipped");
  switch (header.type) {
  case ChunkType::kInfo:
    info_ = std::move(fields);
    break;
  case ChunkType::kProcess:
    index_process(header, offset, fields);
    break;
  case ChunkType::kClock:
    if (payload.size() >= sizeof(ClockPair))
      clocks_.push_back(*reinterpret_cast<const ClockPair *>(payload.data()));
    break;
  case ChunkType::kMap:
    index_map(header, offset, memory);
    break;
  case ChunkType::kSameMap:
    index_same_map(header, offset, payload);
    break;
  case ChunkType::kProfile:
    index_profile(header, offset, payload);
    break;
  case ChunkType::kLost:
    if (payload.size() >= offsetof(LostCount, overwritten)) {
      LostCount told = {};
      std::memcpy(&told, payload.data(), std::min(payload.size(), sizeof told));
      const LostCount *count = &told;
      if (count->stream == ~uint32_t{0}) {
        process(header.process).lost = count->lost;
        process(header.process).overwritten = count->overwritten;
      } else {
        RecordedStream &stream = streams_[count->stream];
        stream.process = header.process;
        stream.tid = count->tid;
        stream.lost = count->lost;
        stream.overwritten = count->overwritten;
      }
    }
    break;
  case ChunkType::kThread:
    if (payload.size() >= sizeof(ThreadNameChunk)) {
      ThreadNameChunk named;
      std::memcpy(&named, payload.data(), sizeof named);
      RecordedStream &stream = streams_[named.stream];
      stream.process = header.process;
      stream.tid = named.tid;
      stream.names.push_back(
          {named.monotonic_ns, std::string(named.name, strnlen(named.name, sizeof named.name))});
    }
    break;
  case ChunkType::kLog:
    process(header.process).log += text;
    break;
  case ChunkType::kNames:
    names_.push_back(std::move(memory));
    break;
  case ChunkType::kEnd:
    end_ = std::move(fields);
    ended_ = true;
    break;
  case ChunkType::kSubbuf:
  case ChunkType::kPacked:
  case ChunkType::kParts:
    break;
  }
}

RecordedProcess &Recording::process(uint32_t index) {
  RecordedProcess &process = processes_[index];
  process.index = index;
  return process;
}

void Recording::index_process(const ChunkHeader &header, uint64_t, const JsonFields &fields) {
  RecordedProcess &p = process(header.process);
  p.pid = (int32_t)fields.number("pid");
  p.ppid = (int32_t)fields.number("ppid");
  p.comm = printable(fields.text("comm"));
  p.exe = fields.text("exe");
  p.arguments = fields.texts("arguments");
  p.clock = fields.text("clock");
  p.start_tsc = (uint64_t)fields.number("start_tsc");
  p.start_ns = (uint64_t)fields.number("start_ns");
  p.machine = processor_of((uint64_t)fields.number("machine"));
  p.counter_hz = (uint64_t)fields.number("counter_hz");
}

void Recording::index_subbuf(const ChunkHeader &header, uint64_t offset) {
  nophook_subbuf subbuf;
  if (header.bytes < sizeof subbuf || header.bytes > NOPHOOK_SUBBUF_BYTES ||
      !file_.read(offset + sizeof header, &subbuf, sizeof subbuf))
    return add_damage(offset, "a sub-buffer with an impossible size is skipped");
  RecordedStream &stream = streams_[header.stream];
  is_packed_ |= header.type == ChunkType::kPacked;
  stream.process = header.process;
  stream.tid = subbuf.tid;
  stream.events += header.events;
  stream.lost = std::max(stream.lost, subbuf.lost);
  stream.subbufs.push_back({subbuf.seq, offset});
}

// The `count` texts behind each other, each with a 0 at its end; none if they are not all there.
static std::vector<std::string_view> names_behind(std::string_view texts, uint32_t count) {
  std::vector<std::string_view> names;
  while (names.size() < count) {
    const size_t end = texts.find('\0');
    if (end == texts.npos || end == 0) // 0s may fill the rest of a chunk
      return {};
    names.push_back(texts.substr(0, end));
    texts.remove_prefix(end + 1);
  }
  return names;
}

void Recording::index_map(const ChunkHeader &header, uint64_t offset,
                          std::shared_ptr<const std::vector<uint8_t>> memory) {
  const std::vector<uint8_t> &payload = *memory;
  const auto *map = reinterpret_cast<const nophook_map *>(payload.data());
  if (payload.size() < sizeof *map || map->path_bytes % 4 ||
      map->build_id_bytes > sizeof map->build_id ||
      (uint64_t)map->first_id + map->count > (1u << NOPHOOK_ID_BITS) ||
      sizeof *map + (uint64_t)map->path_bytes + (uint64_t)map->count * 4 > payload.size())
    return add_damage(offset, "a damaged list of a module's functions is skipped");
  MapView view;
  view.first_id = map->first_id;
  view.bias = map->bias;
  std::string_view path(reinterpret_cast<const char *>(map + 1), map->path_bytes);
  view.path = path.substr(0, path.find('\0'));
  view.build_id = {map->build_id, map->build_id_bytes};
  view.offsets = {
      reinterpret_cast<const uint32_t *>(payload.data() + sizeof *map + map->path_bytes),
      map->count};
  view.names =
      names_behind({reinterpret_cast<const char *>(view.offsets.data() + map->count),
                    payload.size() - sizeof *map - map->path_bytes - (size_t)map->count * 4},
                   map->count);
  view.memory = std::move(memory);
  process(header.process).maps.push_back(view);
  maps_[offset] = std::move(view);
}

void Recording::index_profile(const ChunkHeader &header, uint64_t offset,
                              std::span<const uint8_t> payload) {
  ProfileHeader head;
  if (payload.size() < sizeof head)
    return add_damage(offset, "a profile has no head");
  std::memcpy(&head, payload.data(), sizeof head);
  payload = payload.subspan(sizeof head);
  // Size of an old row, where the total was in the place of the sum.
  constexpr size_t kOldRow = offsetof(ProfileRow, counts.sum);
  if ((head.row_bytes != sizeof(ProfileRow) && head.row_bytes != kOldRow) ||
      payload.size() % head.row_bytes)
    return add_damage(offset, "a profile has rows of an unknown kind");
  ProfileView view;
  view.tid = head.tid;
  view.comm.assign(head.comm, strnlen(head.comm, sizeof head.comm));
  view.rows.resize(payload.size() / head.row_bytes);
  for (ProfileRow &row : view.rows) {
    std::memcpy(&row, payload.data(), head.row_bytes);
    payload = payload.subspan(head.row_bytes);
    if (head.row_bytes == kOldRow)
      row.counts.sum = row.counts.total;
  }
  process(header.process).profiles.push_back(std::move(view));
}

void Recording::index_same_map(const ChunkHeader &header, uint64_t offset,
                               std::span<const uint8_t> payload) {
  auto same = payload.size() == sizeof(uint64_t)
                  ? maps_.find(*reinterpret_cast<const uint64_t *>(payload.data()))
                  : maps_.end();
  if (same == maps_.end())
    return add_damage(offset, "a module's list of functions is missing");
  process(header.process).maps.push_back(same->second);
}

uint64_t TscClock::tick_of(int64_t when_ns) const {
  double ticks = ((double)when_ns - (double)ns) / ns_per_tick + (double)tsc;
  auto tick = (uint64_t)std::clamp(ticks, 0.0, 1.8e19);
  // Doubles are exact to some ticks here. Times ascend with ticks, so that the rest is a search.
  uint64_t low = tick - std::min<uint64_t>(tick, 1 << 16), high = tick + (1 << 16);
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if ((int64_t)at(middle) >= when_ns)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

uint64_t TscClock::at_moment(uint64_t when_tsc) const {
  auto next = std::ranges::upper_bound(*moments, when_tsc, {}, &Moment::tsc);
  const Moment &last = next[-1];
  if (next == moments->end())
    return last.ns + duration(when_tsc - last.tsc);
  double part = (double)(when_tsc - last.tsc) / (double)(next->tsc - last.tsc);
  return last.ns + (uint64_t)(part * (double)(next->ns - last.ns));
}

// The process that reports its counter's speed. Null: none does, or the nanoseconds of a tick that
// were measured agree with it, and are more exact. Where it does not agree, the recorder has read
// another counter: an emulator runs the process, or a file was brought to another machine.
const RecordedProcess *Recording::rate_teller(double measured) const {
  constexpr double kMostOff = 0.01;
  for (const auto &[index, process] : processes_) {
    if (!process.counter_hz || !process.start_tsc)
      continue;
    const double told = 1e9 / (double)process.counter_hz;
    return measured > told * (1 - kMostOff) && measured < told * (1 + kMostOff) ? nullptr
                                                                                : &process;
  }
  return nullptr;
}

void Recording::compute_clock_rate() {
  // Each process stores one instant, too. It is the only second instant if the recorder was killed
  // early.
  if (clocks_.size() < 2)
    for (const auto &[index, process] : processes_)
      if (process.start_tsc)
        clocks_.push_back({process.start_tsc, process.start_ns, 0});
  auto earlier = [](const ClockPair &a, const ClockPair &b) { return a.tsc < b.tsc; };
  auto [first, last] = std::minmax_element(clocks_.begin(), clocks_.end(), earlier);
  if (first == clocks_.end())
    return;
  clock_.tsc = first->tsc;
  clock_.ns = first->monotonic_ns;
  // The kernel's clocks are in nanoseconds, perhaps from another instant on.
  for (const auto &[index, process] : processes_)
    if (!process.clock.empty()) {
      clock_ = {process.start_tsc, process.start_ns, 1, false};
      if (process.clock == "counter")
        clock_ = {process.start_tsc, 0, 1, true};
      return;
    }
  double measured = 0;
  if (last->tsc > first->tsc && last->monotonic_ns > first->monotonic_ns)
    measured =
        (double)(last->monotonic_ns - first->monotonic_ns) / (double)(last->tsc - first->tsc);
  if (const RecordedProcess *process = rate_teller(measured))
    clock_ = {process->start_tsc, process->start_ns, 1e9 / (double)process->counter_hz};
  else if (measured > 0)
    clock_.ns_per_tick = measured;
  else
    add_damage(0, "the speed of the clock is missing: times are in ticks");
}

void Recording::note_wall_time() {
  std::vector<WallTime::Note> notes;
  for (const ClockPair &pair : clocks_)
    if (pair.realtime_ns && !clock_.counts_events)
      notes.push_back({pair.monotonic_ns, pair.realtime_ns});
  wall_time_ = WallTime(std::move(notes));
}

bool Recording::load(const RecordedStream::Subbuf &subbuf, SubbufView *view,
                     Damages *damages) const {
  ChunkHeader header;
  if (!file_.read(subbuf.chunk, &header, sizeof header) || !is_chunk(header) ||
      header.bytes < sizeof view->header || header.bytes > NOPHOOK_SUBBUF_BYTES) {
    damages->add(subbuf.chunk, "a sub-buffer with a damaged header is skipped");
    return false;
  }
  auto memory = std::make_shared_for_overwrite<uint64_t[]>(header.bytes / 8);
  std::span payload(reinterpret_cast<const uint8_t *>(memory.get()), header.bytes);
  if (!file_.read(subbuf.chunk + sizeof header, memory.get(), header.bytes) ||
      chunk_checksum(header, payload) != header.checksum) {
    damages->add(subbuf.chunk, "a sub-buffer with a wrong checksum is skipped");
    return false;
  }
  constexpr size_t kHeadWords = sizeof view->header / 8;
  std::memcpy(&view->header, memory.get(), sizeof view->header);
  if (auto stream = streams_.find(header.stream); stream != streams_.end())
    put_thread_name(stream->second.name, view->header.comm);
  view->words = {memory.get() + kHeadWords, header.bytes / 8 - kHeadWords};
  view->memory = std::move(memory);
  if (header.type == ChunkType::kPacked) {
    size_t count = 0;
    view->memory = unpack(payload, &count);
    view->words = {view->memory.get(), count};
    if (!view->memory)
      damages->add(subbuf.chunk, "a sub-buffer that cannot be unpacked is skipped");
    return view->memory != nullptr;
  }
  return true;
}

uint64_t Recording::events() const {
  uint64_t sum = 0;
  for (const auto &[index, stream] : streams_)
    sum += stream.events;
  return sum;
}

uint64_t Recording::lost() const {
  uint64_t sum = 0;
  for (const auto &[index, stream] : streams_)
    sum += stream.lost;
  for (const auto &[index, process] : processes_)
    sum += process.lost;
  return sum;
}

uint64_t Recording::overwritten() const {
  uint64_t sum = 0;
  for (const auto &[index, stream] : streams_)
    sum += stream.overwritten;
  for (const auto &[index, process] : processes_)
    sum += process.overwritten;
  return sum;
}

void Recording::Damages::add(uint64_t offset, std::string what) {
  if (count_++)
    return;
  offset_ = offset;
  what_ = std::move(what);
}

void Recording::Damages::add(Damages &&later) {
  if (!count_) {
    offset_ = later.offset_;
    what_ = std::move(later.what_);
  }
  count_ += later.count_;
}

std::string Recording::Damages::text() const {
  if (!count_)
    return "";
  std::string line = fmt::format("{} (at byte {})", what_, offset_);
  if (count_ > 1)
    line += fmt::format(" (and {} more)", count_ - 1);
  return line;
}

} // namespace nophook
