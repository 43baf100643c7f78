// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes stubs, thunks and words in blocks, for as many functions of a module as fit a page of code:
// it is written before it becomes executable, and never again.

#include "livepatch/dispatch.h"

#include "arch/arch.h"
#include "arch/livepatch_path.h"
#include "base/memory.h"
#include "poke/island.h"
#include "poke/text.h"

#include <errno.h>

namespace nophook {
namespace {

constexpr uint32_t kInBlock = kPageBytes / (2 * Arch::kThunkBytes);
constexpr uint32_t kMostBlocks = 1024;
static_assert((kInBlock + 1) * 8 <= kPageBytes, "words, and the trampoline's address");

struct Block {
  Module *module;
  uint32_t used;
  Dispatch of[kInBlock];
};

// Published with release: the trampoline reads it.
Block *g_blocks[kMostBlocks];
uint32_t g_block_count = 0;
Plan *g_free_plans = nullptr;
Plan *g_replaced = nullptr; // replaced plans, which threads may still have

Status make_block(Module *module, Block **made) {
  if (g_block_count == kMostBlocks)
    return failure(ENOMEM, "too many functions have been patched");
  auto *block = static_cast<Block *>(map_pages(sizeof(Block)));
  if (!block)
    return failure(ENOMEM, "no memory to patch a function");
  char *at = nullptr;
  if (Status mapped = map_in_reach(module, 2 * kPageBytes, &at); !mapped.ok()) {
    unmap_pages(block, sizeof(Block));
    return mapped;
  }
  const auto code = reinterpret_cast<uint64_t>(at);
  auto *words = reinterpret_cast<uint64_t *>(at + kPageBytes);
  words[0] = reinterpret_cast<uint64_t>(nophook_klp_caller);
  for (uint32_t i = 0; i < kInBlock; i++) {
    Dispatch &dispatch = block->of[i];
    dispatch.index = g_block_count * kInBlock + i;
    dispatch.stub = code + 2 * i * Arch::kThunkBytes;
    dispatch.thunk = dispatch.stub + Arch::kThunkBytes;
    dispatch.word = words + 1 + i;
    Arch::write_stub(reinterpret_cast<uint8_t *>(dispatch.stub), dispatch.stub,
                     reinterpret_cast<uint64_t>(dispatch.word));
    Arch::write_thunk(reinterpret_cast<uint8_t *>(dispatch.thunk), dispatch.thunk, dispatch.index,
                      reinterpret_cast<uint64_t>(words), 0);
  }
  if (!make_executable(at, kPageBytes)) {
    unmap_pages(at, 2 * kPageBytes);
    unmap_pages(block, sizeof(Block));
    return failure(EPERM, "the kernel refuses executable memory for trampolines");
  }
  block->module = module;
  __atomic_store_n(&g_blocks[g_block_count], block, __ATOMIC_RELEASE);
  g_block_count++;
  *made = block;
  return {};
}

Plan *new_plan() {
  if (!g_free_plans) {
    auto *plans = static_cast<Plan *>(map_pages(kPageBytes));
    for (uint32_t i = 0; plans && i < kPageBytes / sizeof(Plan); i++) {
      plans[i].next = g_free_plans;
      g_free_plans = &plans[i];
    }
  }
  Plan *plan = g_free_plans;
  if (plan)
    g_free_plans = plan->next;
  return plan;
}

} // namespace

Status dispatch_of(Module *module, uint32_t index, Dispatch **found) {
  const uint32_t id = module->first_id + index;
  Block *open = nullptr;
  for (uint32_t i = 0; i < g_block_count; i++) {
    Block *block = g_blocks[i];
    if (block->module != module)
      continue;
    for (uint32_t k = 0; k < block->used; k++)
      if (block->of[k].id == id) {
        *found = &block->of[k];
        return {};
      }
    open = block->used < kInBlock ? block : open;
  }
  if (!open)
    NOPHOOK_TRY(make_block(module, &open));
  Dispatch *dispatch = &open->of[open->used++];
  dispatch->id = id;
  dispatch->module = module;
  *found = dispatch;
  return {};
}

Dispatch *dispatch_by_index(uint32_t index) {
  Block *block = __atomic_load_n(&g_blocks[index / kInBlock], __ATOMIC_ACQUIRE);
  return &block->of[index % kInBlock];
}

Status reserve_plans(Dispatch *dispatch) {
  for (Plan *&spare : dispatch->spare)
    if (!spare && !(spare = new_plan()))
      return failure(ENOMEM, "no memory to patch a function");
  return {};
}

void publish_plan(Dispatch *dispatch, const Transition *transition, uint64_t left,
                  uint64_t entered) {
  Plan *&spare = dispatch->spare[dispatch->spare[0] ? 0 : 1];
  *spare = {transition, {left, entered}, nullptr};
  Plan *replaced = dispatch->plan;
  // Pairs with nophook_klp_target's load.
  __atomic_store_n(&dispatch->plan, spare, __ATOMIC_RELEASE);
  spare = nullptr;
  if (replaced) {
    replaced->next = g_replaced;
    g_replaced = replaced;
  }
}

void reuse_plans() {
  while (Plan *plan = g_replaced) {
    g_replaced = plan->next;
    plan->next = g_free_plans;
    g_free_plans = plan;
  }
}

} // namespace nophook
