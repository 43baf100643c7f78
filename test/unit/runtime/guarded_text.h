// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A text that ends where its memory ends: a parser that reads one byte too far ends the test.

#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

class GuardedText {
public:
  explicit GuardedText(std::string_view text) : bytes_(text.size()), page_((size_t)getpagesize()) {
    memory_ = static_cast<char *>(
        mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_ + page_, page_, PROT_NONE);
    std::memcpy(memory_ + page_ - bytes_, text.data(), bytes_); // texts of tests fit into a page
  }
  GuardedText(const GuardedText &) = delete;
  GuardedText &operator=(const GuardedText &) = delete;
  ~GuardedText() { munmap(memory_, 2 * page_); }

  const char *data() const { return memory_ + page_ - bytes_; }
  uint64_t size() const { return bytes_; }

private:
  uint64_t bytes_;
  size_t page_;
  char *memory_;
};
