// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a recording (read/recording/format.h).
//
// The disk may become full in the middle. What has been written must stay readable and the
// traced program must not notice: the first failure is remembered, the half-written chunk is
// cut off, every later chunk is dropped, and finish() makes room for the END chunk that says
// what happened by giving up the PARTS, and the last sub-buffer if it must.

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

  // No sub-buffer is appended that would make the file larger: is_full() then says so. What else
  // belongs to the recording still comes, some kilobytes.
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
  void call(std::string name) { path_ = std::move(name); } // in messages: it has no path
  uint64_t bytes() const { return offset_; }               // also where the next chunk begins

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
  uint32_t last_events_ = 0; // and its events
  uint64_t parts_start_ = 0; // where PARTS and END begin, once they are written
  std::string end_;          // the text of END
  RecordingParts parts_;     // of what has been written
  uint64_t limit_ = ~uint64_t{0};
  bool is_full_ = false;
  std::optional<Error> failure_;
};

} // namespace nophook
