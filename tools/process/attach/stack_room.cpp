// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's struct pthread, at the thread pointer, has the stack as an address followed by a size.
// Their offset differs from version to version, but their values can be recognized: the thread
// pointer is near the end of that memory, and the stack pointer is in it. So they are searched for.

#include "process/attach/stack_room.h"

#include "process/stop/stopped_thread.h"

#include <array>
#include <span>

namespace nophook {
namespace {

constexpr size_t kThreadBytes = 4096;        // struct pthread is smaller: 2304 bytes in glibc 2.36
constexpr uint64_t kBehindThread = 64 << 10; // its own bytes, and alignment
constexpr uint64_t kMostBytes = uint64_t{1} << 44; // less than any pointer, which is no size

// The stack of a thread that the C library has begun; empty, if it is not found.
struct StackBlock {
  uint64_t start = 0, bytes = 0;
};
StackBlock stack_block(int32_t tid, uint64_t sp, uint64_t thread_pointer) {
  std::array<uint64_t, kThreadBytes / sizeof(uint64_t)> words;
  size_t known = words.size(); // fewer if the memory ends before
  while (known && !read_memory(tid, thread_pointer, words.data(), known * sizeof(uint64_t)))
    known /= 2;
  for (size_t i = 0; i + 1 < known; i++) {
    const StackBlock block = {words[i], words[i + 1]};
    if (block.bytes < kMostBytes && sp > block.start && sp - block.start < block.bytes &&
        block.bytes > thread_pointer - block.start &&
        block.bytes - (thread_pointer - block.start) < kBehindThread)
      return block;
  }
  return {};
}

} // namespace

bool has_stack_room(int32_t tid, uint64_t low, uint64_t sp, uint64_t thread_pointer,
                    const ProcessMap &map) {
  const MappedRange *stack = map.find(sp);
  if (!stack || !stack->is_writable)
    return false;
  if (stack->name == "[stack]")
    return true; // the first thread's stack: the kernel grows it, or the write fails
  // No block is found for a thread that another library has begun, nor for a first thread that has
  // moved to another stack.
  return low >= stack->start && low > stack_block(tid, sp, thread_pointer).start;
}

} // namespace nophook
