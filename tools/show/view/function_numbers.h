// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers for the functions of a recording: the same for one function in all processes, and small,
// so that sums can be lists.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace nophook {

// The functions of a recording, numbered as they are met. Any thread may ask.
class FunctionNumbers {
public:
  struct Function {
    uint32_t process;
    uint32_t id;
  };
  // A function's key, the same in all processes; called under a lock.
  using KeyOf = std::function<uint64_t(uint32_t process, uint32_t id)>;
  explicit FunctionNumbers(KeyOf key_of) : key_of_(std::move(key_of)) {}

  uint32_t number(uint32_t process, uint32_t id);
  std::vector<Function> all() const;
  void restore(const std::vector<Function> &all);

private:
  mutable std::mutex lock_;
  KeyOf key_of_;
  std::map<uint64_t, uint32_t> by_key_;
  std::vector<Function> all_;
};

// The numbers of one process's functions, for one thread: a known number needs no lock.
class ProcessFunctions {
public:
  ProcessFunctions(FunctionNumbers &numbers, uint32_t process)
      : numbers_(&numbers), process_(process) {}

  uint32_t number(uint32_t id) {
    if (id < known_.size() && known_[id])
      return known_[id] - 1;
    uint32_t number = numbers_->number(process_, id);
    if (id >= kMostKnown)
      return number;
    if (id >= known_.size())
      known_.resize(id + size_t{1});
    known_[id] = number + 1;
    return number;
  }

private:
  static constexpr uint32_t kMostKnown = 1 << 22; // a damaged recording may have any id

  FunctionNumbers *numbers_;
  uint32_t process_;
  std::vector<uint32_t> known_; // by id: the number + 1; 0: unknown
};

} // namespace nophook
