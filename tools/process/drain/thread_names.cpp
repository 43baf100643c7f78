// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads /proc/PID/task/TID/comm, and keeps names until their stream begins.

#include "process/drain/thread_names.h"

#include "foundation/checked_folder.h"
#include "foundation/file.h"
#include "foundation/process.h"
#include "process/drain/buffer_file.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>

namespace nophook {

namespace {

constexpr uint32_t kFurtherRings = 64;

uint64_t now_ns() {
  return (uint64_t)std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// The file's name alone: in another mount namespace, folders may have other names.
std::string program_of(const std::string &path) {
  return name_in_folder(std::string(without_deleted_mark(path)));
}

} // namespace

bool executes_the_same(const SharedBuffer &buffer, const std::string &folder) {
  std::error_code error;
  const std::string now = std::filesystem::read_symlink(folder + "exe", error);
  const std::string then = field_text(buffer.header().exe); // empty where there was no /proc
  return error || then.empty() || program_of(printable(now)) == program_of(then);
}

// The kernel exchanges the program before the thread's name, so the order here is the other one.
std::string name_of_thread(SharedBuffer &buffer, int32_t tid) {
  const std::string folder = buffer.owner().thread_folder(tid);
  std::string name = folder.empty() ? "" : read_small_file(folder + "comm");
  if (name.empty() || !executes_the_same(buffer, folder))
    return "";
  return name.substr(0, name.find('\n'));
}

void ThreadNames::read(SharedBuffer &buffer, Known &known) {
  std::string name = name_of_thread(buffer, known.tid);
  if (name.empty() || name == known.name)
    return;
  known.name = std::move(name);
  known.unwritten.push_back({now_ns(), known.name});
  write(known);
}

void ThreadNames::write(Known &known) {
  if (known.stream == ~0u)
    return;
  for (const RecordedStream::Name &seen : std::exchange(known.unwritten, {})) {
    ThreadNameChunk chunk = {known.stream, known.tid, seen.ns, {}};
    std::memcpy(chunk.name, seen.name.data(), std::min(seen.name.size(), sizeof chunk.name));
    writer_.append(ChunkType::kThread, process_,
                   {reinterpret_cast<const uint8_t *>(&chunk), sizeof chunk});
  }
}

ThreadNames::Known &ThreadNames::known(SharedBuffer &buffer, uint32_t ring, int32_t tid) {
  if (ring >= by_ring_.size())
    by_ring_.resize(ring + 1);
  Known &known = by_ring_[ring];
  if (known.tid != tid) {
    known = {};
    known.tid = tid;
    read(buffer, known);
  }
  return known;
}

// Threads take the lowest free ring, so few of the thousands need a look.
void ThreadNames::look(SharedBuffer &buffer, When when) {
  const size_t end = std::min<size_t>(by_ring_.size() + kFurtherRings, buffer.ring_count());
  for (uint32_t ring = 0; ring < end; ring++) {
    const int32_t tid = buffer.ring_tid(ring);
    if (!tid)
      continue;
    Known &thread = known(buffer, ring, tid);
    if (when == When::kLast || (when == When::kTimed && is_look_due(++thread.looks)))
      read(buffer, thread);
  }
}

void ThreadNames::stream_begins(SharedBuffer &buffer, uint32_t ring, int32_t tid, uint32_t stream) {
  Known &thread = known(buffer, ring, tid);
  thread.stream = stream;
  if (thread.unwritten.empty() && !thread.name.empty()) // another stream has it already
    thread.unwritten.push_back({now_ns(), thread.name});
  write(thread);
}

} // namespace nophook
