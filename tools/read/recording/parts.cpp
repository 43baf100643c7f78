// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of parts as bytes.

#include "read/recording/parts.h"

#include "foundation/byte_stream.h"

namespace nophook {

std::vector<uint8_t> encode_parts(const RecordingParts &parts) {
  ByteWriter out;
  out.put(parts.is_packed);
  out.put_all(parts.chunks);
  out.put((uint32_t)parts.streams.size());
  for (const auto &[number, stream] : parts.streams) {
    out.put(number);
    out.put(stream.process);
    out.put(stream.tid);
    out.put(stream.events);
    out.put(stream.lost);
    out.put(stream.overwritten);
    out.put_all(stream.subbufs);
  }
  return out.take();
}

std::optional<RecordingParts> decode_parts(std::span<const uint8_t> bytes) {
  ByteReader in(bytes);
  RecordingParts parts;
  uint32_t streams = 0, number = 0;
  in.get(&parts.is_packed);
  in.get_all(&parts.chunks);
  in.get(&streams);
  for (uint32_t i = 0; i < streams && in.ok(); i++) {
    in.get(&number);
    RecordedStream &stream = parts.streams[number];
    in.get(&stream.process);
    in.get(&stream.tid);
    in.get(&stream.events);
    in.get(&stream.lost);
    in.get(&stream.overwritten);
    in.get_all(&stream.subbufs);
  }
  if (!in.ok())
    return std::nullopt;
  return parts;
}

} // namespace nophook
