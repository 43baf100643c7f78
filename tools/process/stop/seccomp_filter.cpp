// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions that the kernel lets a filter have: seccomp_check_filter() in kernel/seccomp.c.
// Jumps go forward only, so each way through a filter ends.

#include "process/stop/seccomp_filter.h"

#include "foundation/file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <linux/seccomp.h>
#include <set>
#include <string>
#include <sys/ptrace.h>

#ifndef PTRACE_SECCOMP_GET_FILTER
#define PTRACE_SECCOMP_GET_FILTER 0x420c
#endif

namespace nophook {
namespace {

using Word = std::optional<uint32_t>; // none: any value

// Limit of the steps on all ways through all filters for one call: 0.1 s. A container's filter
// takes 1,000. A process may have hundreds of filters made to take long.
constexpr size_t kMostSteps = 100'000;
constexpr uint32_t kKilled = SECCOMP_RET_KILL_PROCESS;

// The state of the machine in the middle of a filter.
struct State {
  size_t at = 0;
  Word a = 0, x = 0;
  std::array<Word, BPF_MEMWORDS> memory = {};
  auto operator<=>(const State &) const = default;
};

// The word of struct seccomp_data at this offset.
Word load(uint32_t cpu, const CallPattern &call, uint32_t place) {
  constexpr uint32_t kArguments = offsetof(seccomp_data, args);
  if (place == offsetof(seccomp_data, nr))
    return call.number;
  if (place == offsetof(seccomp_data, arch))
    return cpu;
  if (place < kArguments)
    return std::nullopt; // the program counter
  const auto &argument = call.arguments[std::min<size_t>((place - kArguments) / 8, 5)];
  return argument ? Word((uint32_t)(*argument >> (place % 8 * 8))) : std::nullopt;
}

// The result of an operation. None for a division by 0: the kernel kills.
Word calculated(uint16_t operation, Word a, Word b) {
  if (operation == BPF_NEG)
    return a ? Word(0 - *a) : a;
  if (!a || !b)
    return std::nullopt;
  switch (operation) {
  case BPF_ADD:
    return *a + *b;
  case BPF_SUB:
    return *a - *b;
  case BPF_MUL:
    return *a * *b;
  case BPF_DIV:
    return *b ? Word(*a / *b) : std::nullopt;
  case BPF_AND:
    return *a & *b;
  case BPF_OR:
    return *a | *b;
  case BPF_XOR:
    return *a ^ *b;
  case BPF_LSH:
    return *b < 32 ? Word(*a << *b) : std::nullopt;
  case BPF_RSH:
    return *b < 32 ? Word(*a >> *b) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<bool> compared(uint16_t operation, Word a, Word b) {
  if (!a || !b)
    return std::nullopt;
  switch (operation) {
  case BPF_JEQ:
    return *a == *b;
  case BPF_JGT:
    return *a > *b;
  case BPF_JGE:
    return *a >= *b;
  default: // BPF_JSET
    return (*a & *b) != 0;
  }
}

bool is_worse(uint32_t one, uint32_t other) {
  return (int32_t)(one & SECCOMP_RET_ACTION_FULL) < (int32_t)(other & SECCOMP_RET_ACTION_FULL);
}

class Run {
public:
  Run(const SeccompFilter &filter, uint32_t cpu, const CallPattern &call)
      : filter_(filter), cpu_(cpu), call_(call) {}

  uint32_t worst(size_t *steps) {
    for (ways_ = {State{}}; !ways_.empty(); ++*steps) {
      const State state = ways_.extract(ways_.begin()).value();
      if (state.at >= filter_.size() || *steps >= kMostSteps || !step(state))
        return kKilled;
    }
    return worst_;
  }

private:
  void returns(Word result) {
    const uint32_t action = result.value_or(kKilled);
    if (is_worse(action, worst_))
      worst_ = action;
  }
  void goes_to(State state, size_t at) {
    state.at = at;
    ways_.insert(state);
  }
  bool step(State state);

  const SeccompFilter &filter_;
  const uint32_t cpu_;
  const CallPattern &call_;
  // The way that is furthest behind is followed first, so that equal states meet.
  std::set<State> ways_;
  uint32_t worst_ = SECCOMP_RET_ALLOW;
};

// False: the kernel accepts no such instruction.
bool Run::step(State state) {
  const sock_filter &i = filter_[state.at];
  const Word k = i.k;
  const size_t next = state.at + 1;
  const Word b = BPF_SRC(i.code) == BPF_X ? state.x : k;
  const uint16_t mode = BPF_MODE(i.code);
  switch (BPF_CLASS(i.code)) {
  case BPF_RET:
    returns(BPF_RVAL(i.code) == BPF_A ? state.a : k);
    return true;
  case BPF_JMP: {
    if (BPF_OP(i.code) == BPF_JA) {
      goes_to(state, next + i.k);
      return true;
    }
    const auto is_so = compared(BPF_OP(i.code), state.a, b);
    if (is_so.value_or(true))
      goes_to(state, next + i.jt);
    if (!is_so.value_or(false))
      goes_to(state, next + i.jf);
    return true;
  }
  case BPF_LD:
  case BPF_LDX: {
    Word &to = BPF_CLASS(i.code) == BPF_LD ? state.a : state.x;
    if (mode == BPF_MEM && i.k >= BPF_MEMWORDS)
      return false;
    to = mode == BPF_ABS   ? load(cpu_, call_, i.k)
         : mode == BPF_MEM ? state.memory[i.k]
         : mode == BPF_LEN ? Word((uint32_t)sizeof(seccomp_data))
                           : k;
    break;
  }
  case BPF_ST:
  case BPF_STX:
    if (i.k >= BPF_MEMWORDS)
      return false;
    state.memory[i.k] = BPF_CLASS(i.code) == BPF_ST ? state.a : state.x;
    break;
  case BPF_ALU:
    if (BPF_OP(i.code) == BPF_DIV && b.value_or(0) == 0)
      returns(SECCOMP_RET_KILL_THREAD);
    state.a = calculated(BPF_OP(i.code), state.a, b);
    break;
  default: // BPF_MISC
    (BPF_MISCOP(i.code) == BPF_TAX ? state.x : state.a) =
        BPF_MISCOP(i.code) == BPF_TAX ? state.a : state.x;
  }
  goes_to(state, next);
  return true;
}

} // namespace

std::string seccomp_fields(const std::string &status) {
  const size_t at = status.find("\nSeccomp:");
  return at == std::string::npos ? ""
                                 : status.substr(at, status.find("\nSpec", at) - at); // both fields
}

int read_filters(int32_t tid, std::vector<SeccompFilter> *filters) {
  constexpr auto kRequest = (__ptrace_request)PTRACE_SECCOMP_GET_FILTER;
  for (;;) {
    const auto index = (void *)filters->size();
    const long count = ::ptrace(kRequest, tid, index, nullptr);
    if (count < 0 && errno == ENOENT)
      return filters->empty() ? ENOENT : 0;
    SeccompFilter filter(count > 0 ? (size_t)count : 0);
    if (filter.empty() || ::ptrace(kRequest, tid, index, filter.data()) != count)
      return errno;
    filters->push_back(std::move(filter));
  }
}

bool may_read_filters() {
  constexpr uint64_t kAdministrator = 1 << 21;
  const std::string status = read_small_file("/proc/self/status");
  const auto field = [&](std::string_view name, int base) {
    const size_t at = status.find(name);
    uint64_t value = 0; // stays 0 if there is no number
    if (at != std::string::npos)
      std::from_chars(&status[at + name.size()], status.data() + status.size(), value, base);
    return value;
  };
  return field("\nCapEff:\t", 16) & kAdministrator && field("\nSeccomp:\t", 10) == 0;
}

uint32_t worst_action(std::span<const SeccompFilter> filters, uint32_t cpu,
                      const CallPattern &call) {
  uint32_t worst = SECCOMP_RET_ALLOW;
  size_t steps = 0;
  for (const SeccompFilter &filter : filters)
    if (const uint32_t action = Run(filter, cpu, call).worst(&steps); is_worse(action, worst))
      worst = action;
  return worst;
}

} // namespace nophook
