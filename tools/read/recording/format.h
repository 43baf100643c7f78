// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contract: a recording, the file that `nophook record` writes and `nophook report` reads.
//
//   +------------+-------+-------+-----+-------+-----+
//   | FileHeader | chunk | chunk | ... | PARTS | END |
//   +------------+-------+-------+-----+-------+-----+
//   chunk: ChunkHeader, payload; the payload's size is a multiple of 8
//
// Everything is a chunk of its own with its own checksum, so the file can be written by appending
// alone, is readable up to the place where the disk was full or the recorder was killed, and a
// damaged chunk costs only itself. An END chunk shows that the recording was closed in order. PARTS
// in front of it saves a reader the look at each chunk, and may be missing.
//
// Events stay as the traced process wrote them: a SUBBUF chunk is a sub-buffer of
// include/nophook/buffer.h, unused end cut off. That is 8 bytes a function_graph event and
// lets the recorder write straight from the shared memory. In a compressed recording they are
// PACKED: the header as it is, and the words as one frame of zstd.
//
// A *process* here is one buffer file: a process that executes another program is two. A
// *stream* is what one thread wrote into one ring; threads that used the same ring one after
// the other are different streams. Both are numbered by the recorder from 0.
//
// All numbers are little endian. Texts are JSON objects, padded by spaces; unknown members
// and unknown chunk types are skipped.

#pragma once

#include <nophook/buffer.h>
#include <nophook/profile.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace nophook {

constexpr uint64_t kRecordingMagic = 0x43455248504f4e01; // "\1NOPHREC", little endian
// An older one is read, too: 1 had no values behind events, 2 nothing packed. A recording without
// packed sub-buffers is still written as 2.
constexpr uint32_t kRecordingVersion = 3;
constexpr uint32_t kUnpackedVersion = 2;
constexpr uint32_t kChunkMagic = 0x4b43504e; // "NPCK"

struct FileHeader {
  uint64_t magic;
  uint32_t version;
  uint32_t header_bytes; // size of the header; a later version may append
  uint64_t reserved[2];
};
static_assert(sizeof(FileHeader) == 32);

enum class ChunkType : uint16_t {
  kInfo = 1,     // JSON: the settings and the machine
  kProcess = 2,  // JSON: pid, ppid, comm, exe, arguments, tracer, clock (if not the counter),
                 // machine (e_machine; x86-64's if missing), counter_hz (if the CPU reports it)
  kClock = 3,    // ClockPair
  kMap = 4,      // nophook_map with its path and offsets
  kSubbuf = 5,   // nophook_subbuf and `used` bytes of words
  kLost = 6,     // LostCount, once for each stream that lost events
  kLog = 7,      // text: lines of the runtime for the person who traces
  kSameMap = 9,  // uint64: offset of an earlier MAP chunk that holds for this process, too
  kProfile = 10, // ProfileHeader and a ProfileRow for each function that was called
  kPacked = 11,  // nophook_subbuf, PackedHeader, one frame of zstd: as kSubbuf
  kParts = 12,   // places of the others (read/recording/parts.h); 0s; uint64: its own offset
  kNames = 13,   // NamesHeader, one frame of zstd: a module's names (read/symbols/recorded_names.h)
  kThread = 14,  // ThreadNameChunk: a name that a thread had; the last one is shown
  kEnd = 8,      // JSON: totals, and the reason of the end if it was not the program's
};

struct ChunkHeader {
  uint32_t magic;
  ChunkType type;
  uint16_t reserved;
  uint32_t bytes;    // size of the payload
  uint32_t process;  // process that the chunk belongs to, or kNoProcess
  uint32_t stream;   // number of a sub-buffer's stream; else 0
  uint32_t events;   // number of a sub-buffer's function events; else 0
  uint64_t checksum; // chunk_checksum()
};
static_assert(sizeof(ChunkHeader) == 32);

constexpr uint32_t kNoProcess = ~uint32_t{0};

// The largest END chunk.
constexpr uint64_t kEndMaxBytes = 64 << 10;

// The largest chunk: a module with four million functions and a long path.
constexpr uint32_t kChunkMaxBytes = 64u << 20;

// One instant on three clocks. Two of them give the speed of the time-stamp counter.
struct ClockPair {
  uint64_t tsc;
  uint64_t monotonic_ns;
  uint64_t realtime_ns;
};

struct LostCount {
  uint32_t stream; // ~0: threads of the process that got no ring
  int32_t tid;
  uint64_t lost;
  uint64_t overwritten; // may be missing
};

struct ThreadNameChunk {
  uint32_t stream;
  int32_t tid;
  uint64_t monotonic_ns; // time at which the name was seen
  char name[16];         // name, which ends in a 0 or fills the field
};

struct PackedHeader {
  uint32_t frame_bytes; // size of the frame; 0s up to a multiple of 8 are behind it
  uint32_t words_bytes; // size of the words, unpacked
};

// Names of a module's functions that were recorded. They stand behind the events, just in front of
// PARTS, and are missing in recordings that were cut, are older, or were made with --no-symbols.
struct NamesHeader {
  uint32_t frame_bytes; // size of the frame; 0s up to a multiple of 8 are behind it
  uint32_t reserved;
  uint64_t bytes; // size of the names, unpacked
};

constexpr uint64_t kNamesMaxBytes = 64 << 20; // the most names of all modules, unpacked

// A block of counts (nophook/profile.h) without the functions that were never called.
struct ProfileHeader {
  int32_t tid; // 0: several threads
  uint32_t row_bytes;
  char comm[16];
};

struct ProfileRow {
  uint64_t id;
  nophook_counts counts;
};

// XXH3 of the header up to the checksum, and of the payload, combined by exclusive or.
uint64_t chunk_checksum(const ChunkHeader &header, std::span<const uint8_t> payload);

} // namespace nophook
