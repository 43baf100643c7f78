// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends chunks, and cuts an incomplete one off.

#include "read/recording/writer.h"

#include "foundation/created_file.h"

#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace nophook {

namespace {

std::span<const uint8_t> bytes_of(const std::string &text) {
  return {reinterpret_cast<const uint8_t *>(text.data()), text.size()};
}

} // namespace

Result<RecordingWriter> RecordingWriter::create(const std::string &path, bool pack) {
  RecordingWriter writer;
  writer.path_ = path;
  auto file = create_file(path, 0600, "cannot be written");
  NOPHOOK_TRY(file);
  writer.fd_ = std::move(*file);
  // An existing file may be readable by others.
  if (struct stat status; !::fstat(writer.fd_.get(), &status) && S_ISREG(status.st_mode))
    // On a file system without rights, the call fails and the file stays as it is.
    (void)::fchmod(writer.fd_.get(), status.st_mode & 0600);
  if (pack)
    writer.packer_ = std::make_unique<Packer>();
  FileHeader header = {
      kRecordingMagic, pack ? kRecordingVersion : kUnpackedVersion, sizeof(FileHeader), {}};
  if (!write_all(writer.fd_.get(), &header, sizeof header))
    return system_error(path, "cannot be written");
  writer.offset_ = sizeof header;
  return writer;
}

bool RecordingWriter::append(ChunkType type, uint32_t process, std::span<const uint8_t> payload,
                             char pad) {
  if (failure_)
    return false;
  uint64_t padding = (8 - payload.size() % 8) % 8;
  if (payload.size() + padding > kChunkMaxBytes)
    return true; // no reader would believe it; a module this large has more functions than ids
  ChunkHeader header = {};
  header.type = type;
  header.process = process;
  last_subbuf_ = 0;
  const uint64_t start = offset_;
  if (!write_chunk(header, payload, padding, pad))
    return false;
  if (type != ChunkType::kParts && type != ChunkType::kEnd)
    parts_.chunks.push_back(start);
  return true;
}

bool RecordingWriter::append_text(ChunkType type, uint32_t process, const std::string &text) {
  return append(type, process, bytes_of(text), type == ChunkType::kLog ? '\n' : ' ');
}

bool RecordingWriter::append_subbuf(uint32_t process, uint32_t stream, uint32_t events,
                                    const nophook_subbuf *subbuf, uint32_t bytes) {
  ChunkHeader header = {};
  std::span<const uint8_t> payload, whole(reinterpret_cast<const uint8_t *>(subbuf), bytes);
  if (packer_ && !failure_ && !is_full_)
    payload = packer_->pack(subbuf, bytes);
  header.type = payload.empty() ? ChunkType::kSubbuf : ChunkType::kPacked;
  if (payload.empty())
    payload = whole;
  is_full_ |= offset_ + sizeof header + payload.size() > limit_;
  if (failure_ || is_full_)
    return false;
  header.process = process;
  header.stream = stream;
  header.events = events;
  uint64_t start = offset_;
  if (!write_chunk(header, payload, 0, 0))
    return false;
  last_subbuf_ = start;
  last_events_ = events;
  RecordedStream &parts = parts_.streams[stream];
  parts.process = process;
  parts.tid = subbuf->tid;
  parts.events += events;
  parts.lost = std::max(parts.lost, subbuf->lost);
  parts.subbufs.push_back({subbuf->seq, start});
  parts_.is_packed |= header.type == ChunkType::kPacked;
  return true;
}

bool RecordingWriter::write_chunk(ChunkHeader header, std::span<const uint8_t> payload,
                                  uint64_t padding, char pad) {
  header.magic = kChunkMagic;
  header.bytes = (uint32_t)(payload.size() + padding);
  std::string padded;
  if (padding) { // only small texts are padded
    padded.assign(reinterpret_cast<const char *>(payload.data()), payload.size());
    padded.append(padding, pad);
    payload = bytes_of(padded);
  }
  header.checksum = chunk_checksum(header, payload);
  iovec parts[2] = {{&header, sizeof header},
                    {const_cast<uint8_t *>(payload.data()), payload.size()}};
  uint64_t total = sizeof header + payload.size();
  ssize_t n;
  do
    n = ::writev(fd_.get(), parts, 2);
  while (n < 0 && errno == EINTR);
  bool ok = n == (ssize_t)total;
  if (!ok && n >= 0) { // after a short write, writing the rest mostly shows the reason
    uint64_t done = (uint64_t)n;
    if (done < sizeof header)
      ok = write_all(fd_.get(), reinterpret_cast<char *>(&header) + done, sizeof header - done) &&
           write_all(fd_.get(), payload.data(), payload.size());
    else
      ok = write_all(fd_.get(), payload.data() + (done - sizeof header), total - done);
  }
  if (!ok) {
    failure_ = system_error(path_, "cannot be written");
    cut(offset_);
    return false;
  }
  offset_ += total;
  return true;
}

bool RecordingWriter::cut(uint64_t offset) {
  // A pipe or a device has no end to be cut off.
  return ::ftruncate(fd_.get(), (off_t)offset) == 0 &&
         ::lseek(fd_.get(), (off_t)offset, SEEK_SET) == (off_t)offset;
}

void RecordingWriter::append_parts() {
  std::vector<uint8_t> bytes = encode_parts(parts_);
  const uint64_t at = offset_;
  bytes.resize((bytes.size() + 7) / 8 * 8 + sizeof at);
  std::memcpy(&bytes[bytes.size() - sizeof at], &at, sizeof at);
  append(ChunkType::kParts, kNoProcess, bytes);
}

void RecordingWriter::add_names(const std::vector<std::vector<uint8_t>> &payloads) {
  struct stat st;
  if (failure_ || !parts_start_ || payloads.empty() || ::fstat(fd_.get(), &st) != 0 ||
      !S_ISREG(st.st_mode))
    return;
  const uint64_t start = parts_start_;
  const size_t chunks = parts_.chunks.size();
  const std::string end = end_;
  auto go_back = [&] {
    failure_.reset();
    offset_ = start;
    parts_.chunks.resize(chunks);
    return cut(start);
  };
  if (!go_back())
    return;
  for (const std::vector<uint8_t> &payload : payloads)
    append(ChunkType::kNames, kNoProcess, payload);
  append_parts();
  if (append_text(ChunkType::kEnd, kNoProcess, end) || !go_back())
    return;
  finish(end); // the room for these was taken before
}

uint32_t RecordingWriter::finish(const std::string &totals) {
  std::optional<Error> first = failure_;
  const uint64_t subbuf = last_subbuf_, parts = offset_;
  append_parts();
  if (append_text(ChunkType::kEnd, kNoProcess, totals)) {
    parts_start_ = parts;
    end_ = totals;
    return 0;
  }
  uint32_t given_up = 0;
  for (uint64_t room : {parts, subbuf}) {
    if (!room || !cut(room))
      continue;
    failure_.reset();
    offset_ = room;
    given_up = room == parts ? 0 : last_events_;
    if (append_text(ChunkType::kEnd, kNoProcess, totals))
      break;
  }
  if (first)
    failure_ = std::move(first);
  return given_up;
}

} // namespace nophook
