// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which architecture the runtime is built for. Everything above this layer names
// `nophook::Arch` only; a new CPU is one folder that satisfies the concept below.

#pragma once

#include <stdint.h>

#if defined(__x86_64__)
#include "arch/x86_64/encode.h"
namespace nophook {
using Arch = X86_64;
}
#else
#error "nophook's runtime is not built for this architecture yet"
#endif

namespace nophook {

// The runtime is built without C++ headers: it has <concepts>' two in its own words.
template <class T, class U>
concept SameAs = __is_same(T, U);

// What the layers above need of an instruction set. All functions are pure: they turn
// addresses into bytes and never touch the text they talk about.
template <class A>
concept ArchConcept = requires(uint64_t from, uint64_t to, const uint8_t *bytes, uint8_t *out) {
  requires A::kSiteBytes > 0 && A::kThunkBytes > 0 && A::kReachBytes > 0;
  { A::read_insn(bytes) } -> SameAs<uint64_t>;
  { A::is_site_nop(bytes) } -> SameAs<bool>;
  { A::skip_landing_pad(bytes) } -> SameAs<uint64_t>;
  { A::encode_call(from, to) } -> SameAs<uint64_t>;
  { A::encode_jump(from, to) } -> SameAs<uint64_t>;
  { A::target_of(from, to) } -> SameAs<uint64_t>;
  { A::write_thunk(out, from, uint32_t{}, to) } -> SameAs<void>;
};
static_assert(ArchConcept<Arch>);

} // namespace nophook
