// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ways of saving vector registers that this CPU supports, not only the one that it uses: most
// CPUs use another one than the machine that the tests run on.

#include "arch/vectors.h"
#include "arch/x86_64/vector_ways.h"
#include "x86_64_vectors.h"

#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>

namespace nophook {
namespace {

static_assert(offsetof(VectorState, masks) == 2048 && offsetof(VectorState, mxcsr) == 2112 &&
              offsetof(VectorState, st0) == 2120);
static_assert(offsetof(VectorTrip, most) == 48 && offsetof(VectorTrip, width_callback) == 56);

constexpr uint16_t kTopOfStack = 0x3800;

// A state whose registers have `width` bytes; the bytes beyond are 0. The rounding differs, too.
VectorState state_of(uint8_t seed, uint32_t width) {
  VectorState state = {};
  for (uint32_t i = 0; i < (width == 64 ? 32 : 16); i++)
    for (uint32_t k = 0; k < width; k++)
      state.registers[i][k] = (uint8_t)(seed + i * 7 + k);
  for (uint64_t i = 0; i < 8 && width == 64; i++)
    state.masks[i] = 0x0101010101010101 * (seed + i);
  state.mxcsr = 0x1f80 | (uint32_t)(seed & 3) << 13;
  state.x87_control = (uint16_t)(0x037f | (seed & 3) << 10);
  const uint8_t st0[10] = {seed, 2, 3, 4, 5, 6, 7, 0x80, 0xff, 0x3f}; // 1.…
  std::memcpy(state.st0, st0, sizeof st0);
  return state;
}

class X86Vectors : public testing::TestWithParam<VectorWay> {};

TEST_P(X86Vectors, SurviveACallbackThatChangesAll) {
  find_vector_state();
  const VectorWay own = vector_way();
  if (!set_vector_way(GetParam()))
    GTEST_SKIP() << "this CPU cannot";
  const uint32_t most = GetParam() == VectorWay::kFxsave ? 16 : vector_register_bytes();
  auto *area = static_cast<uint8_t *>(std::aligned_alloc(64, vector_state_bytes()));
  for (uint32_t before = 16; before <= most; before *= 2)
    for (uint32_t callback = 16; callback <= most; callback *= 2) {
      std::memset(area, 0x5a, vector_state_bytes()); // left by an earlier callback
      const VectorState wanted = state_of(1, before), changed = state_of(66, callback);
      VectorState after = {};
      const VectorTrip trip = {&wanted,         &changed, &after, area,    save_vectors,
                               restore_vectors, most,     before, callback};
      vector_round_trip(&trip);
      EXPECT_EQ(0, std::memcmp(wanted.registers, after.registers, sizeof after.registers));
      EXPECT_EQ(0, std::memcmp(wanted.masks, after.masks, sizeof after.masks));
      EXPECT_EQ(wanted.mxcsr, after.mxcsr) << before << " " << callback;
      EXPECT_EQ(wanted.x87_control, after.x87_control);
      EXPECT_EQ(0x3800, after.x87_status & kTopOfStack); // one value
      EXPECT_EQ(0, std::memcmp(wanted.st0, after.st0, 10));
    }
  std::free(area);
  set_vector_way(own);
}

INSTANTIATE_TEST_SUITE_P(EachWay, X86Vectors,
                         testing::Values(VectorWay::kFxsave, VectorWay::kXsave, VectorWay::kXsavec,
                                         VectorWay::kByHand));

} // namespace
} // namespace nophook
