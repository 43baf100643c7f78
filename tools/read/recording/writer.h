// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a recording (read/recording/format.h).
//
// The disk may become full in the middle. The chunks written so far must stay readable, and the
// traced program must not notice: the first failure is remembered, the half-written chunk is cut
// off, every later chunk is dropped, and finish() makes room for the END chunk, which has the
// reason, by giving up the PARTS, and the last sub-buffer if it must.

#pragma once

#include "foundation/file.h"
#include "read/recording/packed.h"
#include "read/recording/parts.h"

#include <optional>
#include <string>

namespace nophook {

class RecordingWriter {
public:
  // Creates or empties the file, readable by its owner alone, and writes its header. `pack`:
  // sub-buffers are compressed.
  static Result<RecordingWriter> create(const std::string &path, bool pack = false);

  // Appends a chunk. `payload` is padded by `pad` to a multiple of 8. False once the
  // recording has failed; failure() has the reason.
  bool append(ChunkType type, uint32_t process, std::span<const uint8_t> payload, char pad = 0);
  bool append_text(ChunkType type, uint32_t process, const std::string &text);

  // Sets the largest size. A sub-buffer that would exceed it is not appended, and is_full() is true
  // then. The other chunks of the recording, some kilobytes, still are.
  void limit(uint64_t bytes) { limit_ = bytes; }
  bool is_full() const { return is_full_; }

  // Appends a sub-buffer of `bytes` bytes, header included, without copying it if
  // it is not packed.
  bool append_subbuf(uint32_t process, uint32_t stream, uint32_t events,
                     const nophook_subbuf *subbuf, uint32_t bytes);

  // Appends the PARTS and the END chunk, the latter after a failure too. Returns the events of a
  // sub-buffer that had to be given up for it.
  uint32_t finish(const std::string &totals);

  // After finish(): puts these chunks in front of PARTS and END. Until then the recording on disk
  // is complete without them, since they may take a while to make. Where they find no room, or the
  // file is a pipe, the recording stays as it is.
  void add_names(const std::vector<std::vector<uint8_t>> &payloads);

  const std::optional<Error> &failure() const { return failure_; }
  const std::string &path() const { return path_; }
  // Name for messages: the recording has no path.
  void call(std::string name) { path_ = std::move(name); }
  // Size of the file so far: the offset of the next chunk.
  uint64_t bytes() const { return offset_; }

private:
  bool write_chunk(ChunkHeader header, std::span<const uint8_t> payload, uint64_t padding,
                   char pad);
  void append_parts();
  bool cut(uint64_t offset);

  std::string path_;
  FileDescriptor fd_;
  std::unique_ptr<Packer> packer_;
  uint64_t offset_ = 0;      // end of the last complete chunk
  uint64_t last_subbuf_ = 0; // start of the last SUBBUF chunk if nothing follows it, else 0
  uint32_t last_events_ = 0; // number of its events
  uint64_t parts_start_ = 0; // offset of PARTS and END, once they are written
  std::string end_;          // text of END
  RecordingParts parts_;     // parts of the chunks that have been written
  uint64_t limit_ = ~uint64_t{0};
  bool is_full_ = false;
  std::optional<Error> failure_;
};

} // namespace nophook
