// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A traced process's files of any bytes: as a recorder empties them, and as they are recovered.
// Whatever is in them, the recording that is made is whole.
//
// Sub-buffers are 64 KiB and mostly empty, so an input is not the files but parts of them, each
// with its place.

#include "process/drain/buffer_folder.h"
#include "process/drain/buffer_stat.h"
#include "process/drain/process_drain.h"
#include "process/drain/recover.h"
#include "read/recording/reader.h"
#include "reader_fuzz.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>

namespace nophook {

namespace {

struct PartHeader {
  uint32_t magic;
  uint32_t file;   // 0: .buf, 1: .maps, 2: .prof
  uint32_t offset; // in 8 bytes
  uint32_t bytes;  // size of the payload
};

constexpr uint64_t kMostBytes = 1 << 20; // largest size of a file
constexpr const char *kSuffixes[] = {".buf", ".maps", ".prof"};

class Folder {
public:
  Folder() { path_ = mkdtemp(path_.data()); }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::string operator/(const char *name) const { return path_ + "/" + name; }

private:
  std::string path_ = "/dev/shm/nophook-fuzz-XXXXXX";
};

void write_files(const Folder &folder, std::span<const uint8_t> bytes) {
  FileDescriptor files[3];
  for (size_t i = 0; i < 3; i++) {
    files[i].reset(::open((folder / "1").append(kSuffixes[i]).c_str(),
                          O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    demand(files[i].valid(), "no file");
  }
  for (const Piece &piece : split_input(bytes)) {
    PartHeader header = {};
    if (piece.header.empty())
      continue;
    std::memcpy(&header, piece.header.data(), sizeof header);
    uint64_t at = (uint64_t)header.offset * 8;
    if (header.file < 3 && at < kMostBytes)
      (void)!::pwrite(files[header.file].get(), piece.payload.data(),
                      std::min(piece.payload.size(), kMostBytes - at), (off_t)at);
  }
}

void demand_whole(const std::string &path, uint64_t events) {
  auto recording = Recording::open(path);
  demand(recording.ok(), "no recording");
  SubbufView view;
  for (const auto &[index, stream] : recording->streams())
    for (const auto &subbuf : stream.subbufs)
      recording->load(subbuf, &view);
  // Damaged lists of functions stay damaged, and are reported.
  std::string damage = recording->damage();
  for (const char *ours : {"chunk", "sub-buffer", "the end is missing", "description"})
    demand(damage.find(ours) == std::string::npos, "a damaged recording: " + damage);
  demand(recording->events() == events, "another number of events");
}

void check_recover(const Folder &folder) {
  auto buffers = choose_buffers(folder / "1.buf");
  if (!buffers)
    return;
  auto writer = RecordingWriter::create(folder / "recovered");
  demand(writer.ok(), "no recording can be made");
  if (recover(*buffers, *writer))
    demand_whole(folder / "recovered", Recording::open(folder / "recovered")->events());
}

void check_drain(const Folder &folder, bool gone) {
  auto buffer = SharedBuffer::open(folder / "1.buf");
  if (!buffer)
    return;
  ring_stats(*buffer);
  auto writer = RecordingWriter::create(folder / "drained");
  demand(writer.ok(), "no recording can be made");
  DrainTotals totals;
  ProcessDrain drain(std::move(*buffer), *writer, totals);
  drain.drain();
  printable(drain.read_log());
  drain.reclaim_threads();
  drain.finish(gone);
  writer->finish("{}");
  demand_whole(folder / "drained", totals.events);
}

} // namespace

const uint32_t kPieceMagic = 0x5a46504e; // "NPFZ"
const size_t kPieceHeaderBytes = sizeof(PartHeader);

void complete(Piece *piece) {
  auto bytes = (uint32_t)piece->payload.size();
  std::memcpy(piece->header.data() + offsetof(PartHeader, bytes), &bytes, sizeof bytes);
}

void check_input(std::span<const uint8_t> bytes) {
  static const Folder folder;
  write_files(folder, bytes);
  check_recover(folder);
  check_drain(folder, bytes.size() / 8 % 2);
}

} // namespace nophook
