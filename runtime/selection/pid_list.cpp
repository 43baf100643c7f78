// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses lists of numbers; each number is stored as a whole.

#include "selection/pid_list.h"

#include "base/limit_text.h"

#include <errno.h>

namespace nophook {

bool PidList::has(int32_t tid, int32_t pid) const {
  uint32_t count = __atomic_load_n(&count_, __ATOMIC_ACQUIRE);
  bool found = false;
  for (uint32_t i = 0; i < count && !found; i++) {
    int32_t id = __atomic_load_n(&ids_[i], __ATOMIC_RELAXED);
    found = id == tid || id == pid;
  }
  return found;
}

Status PidList::add(int32_t id) {
  if (has(id, id))
    return {};
  if (count_ == kMost)
    return failure(ENOSPC, limit_text<"more than ", kMost, " threads and processes">);
  __atomic_store_n(&ids_[count_], id, __ATOMIC_RELAXED);
  __atomic_store_n(&count_, count_ + 1, __ATOMIC_RELEASE);
  return {};
}

Status PidList::change(const char *text, uint64_t bytes, How how) {
  PidList made = how == How::kAdd ? *this : PidList{};
  auto is_between = [](char c) { return c == ',' || c == ' ' || (c >= '\t' && c <= '\r') || !c; };
  for (uint64_t at = 0; at < bytes;) {
    if (is_between(text[at])) {
      at++;
      continue;
    }
    int64_t id = 0;
    while (at < bytes && text[at] >= '0' && text[at] <= '9' && id <= INT32_MAX)
      id = id * 10 + (text[at++] - '0');
    bool is_end = at == bytes || is_between(text[at]);
    if (!is_end || id > INT32_MAX || !id)
      return failure(EINVAL, "numbers of threads or processes are expected");
    NOPHOOK_TRY(made.add((int32_t)id));
  }
  for (uint32_t i = 0; i < made.count_; i++)
    __atomic_store_n(&ids_[i], made.ids_[i], __ATOMIC_RELAXED);
  __atomic_store_n(&count_, made.count_, __ATOMIC_RELEASE);
  return {};
}

} // namespace nophook
