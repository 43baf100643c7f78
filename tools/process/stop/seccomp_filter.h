// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The effect of a thread's seccomp filters on a system call.
//
// A filter may kill the process for a call that it did not expect, and a runtime that is loaded
// makes calls that the program never made. Nearly every container has a filter, so refusing all
// filters would refuse all containers. The kernel shows a stopped thread's filters to root. They
// are small programs without loops, over the call's number and arguments: they are run here, in
// advance.
//
// An argument that is not known in advance (an address, a length) may have any value: where a
// filter decides by it, both ways are followed, and the worst result counts.

#pragma once

#include <array>
#include <cstdint>
#include <linux/filter.h>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nophook {

using SeccompFilter = std::vector<sock_filter>;

// The mode and the number of filters from the text of a thread's /proc/TID/status, in its form:
// "\nSeccomp:\t2\nSeccomp_filters:\t1". Empty: the kernel does not show them.
std::string seccomp_fields(const std::string &status);
inline bool is_unfiltered(std::string_view fields) {
  return fields.empty() || fields.starts_with("\nSeccomp:\t0");
}
inline constexpr char kWhyStrict[] =
    "it has a thread in seccomp's strict mode, which kills it for nearly every system call";
inline bool is_strict(std::string_view fields) {
  return fields.starts_with("\nSeccomp:\t1");
}

// Reads the filters of a thread that the caller has stopped. 0 or an errno. EACCES: the caller
// needs CAP_SYS_ADMIN.
int read_filters(int32_t tid, std::vector<SeccompFilter> *filters);

// Whether this process may read filters: else no thread has to be stopped for it.
bool may_read_filters();

struct CallPattern {
  uint32_t number;
  std::array<std::optional<uint64_t>, 6> arguments; // none: any value
};

// The worst result of all filters, one of SECCOMP_RET_ with its data. A filter that cannot be
// followed kills.
uint32_t worst_action(std::span<const SeccompFilter> filters, uint32_t cpu,
                      const CallPattern &call);

} // namespace nophook
