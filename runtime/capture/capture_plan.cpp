// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plans, one for each different prototype. A prototype's id follows from its content, so a plan
// serves all functions and modules that have the prototype, and a library that is loaded again.
// Plans are never freed: an event may be reading one.

#include "capture/capture_plan.h"

#include "base/bytes.h"
#include "base/eternal.h"
#include "base/memory.h"
#include "capture/plan_steps.h"
#include "ops/filter.h"

#include <nophook/args.h>

#include <errno.h>

namespace nophook {
namespace {

// Plans by the content of their prototypes.
struct KnownPlan {
  uint64_t key; // key of the prototype's content, never 0
  CapturePlan *plan;
};
Array<KnownPlan> &known() {
  static Eternal<Array<KnownPlan>> known;
  return *known;
}
uint32_t g_known_room = 0; // size of the table, a power of two
uint32_t g_known_count = 0;

char *g_arena = nullptr;
uint64_t g_arena_left = 0;

uint32_t g_plan_room = 0;

// A step of the plan for functions without a prototype: as in the kernel, the registers of integer
// arguments.
constexpr CaptureStep general(uint8_t number) {
  return {CaptureStep::kGeneral, number, 8, {}, {}};
}
constexpr CaptureStep kDefaultSteps[] = {general(5), general(4), general(1), general(2),
                                         general(8), general(9), general(0)};

constexpr RegisterList registers_of(const CaptureStep *steps, uint32_t count) {
  constexpr RegisterList kOthers = {RegisterList::kHasOthers, {}};
  if (count > kMaxRegisters)
    return kOthers;
  RegisterList list = {(uint8_t)count, {}};
  for (uint32_t i = 0; i < count; i++) {
    if (steps[i].what != CaptureStep::kGeneral)
      return kOthers;
    list.numbers[i] = steps[i].number;
  }
  return list;
}

constexpr CapturePlan plan_of(const CaptureStep *steps, uint32_t entry, uint32_t exit) {
  return {(uint16_t)entry, (uint16_t)exit, steps, registers_of(steps, entry),
          registers_of(steps + entry, exit)};
}

KnownPlan *slot_of(uint64_t key) {
  for (uint64_t i = key * 0x9e3779b97f4a7c15 >> 20;; i++) {
    KnownPlan *slot = &known()[i & (g_known_room - 1)];
    if (slot->key == key || !slot->key)
      return slot;
  }
}

// Makes room in the table, an array whose size is its room; at least half of it is empty.
bool reserve_known() {
  if (g_known_count * 2 < g_known_room)
    return true;
  uint32_t room = g_known_room ? g_known_room * 2 : 1024;
  Array<KnownPlan> old;
  old.swap(known());
  if (!known().reserve(room)) {
    known().swap(old);
    return false;
  }
  for (uint32_t i = 0; i < room; i++)
    known().append({0, nullptr});
  g_known_room = room;
  for (const KnownPlan &plan : old)
    if (plan.key)
      *slot_of(plan.key) = plan;
  return true;
}

void *allocate(uint64_t bytes) {
  constexpr uint64_t kArenaBytes = 64 << 10;
  bytes = round_up(bytes, 8);
  if (bytes > g_arena_left) {
    g_arena = static_cast<char *>(map_pages(kArenaBytes));
    g_arena_left = g_arena ? kArenaBytes : 0;
    if (!g_arena)
      return nullptr;
  }
  void *at = g_arena;
  g_arena += bytes;
  g_arena_left -= bytes;
  return at;
}

CapturePlan *make_plan(const PrototypeTable &table, const nophook_prototype *prototype) {
  CaptureStep entry[kMaxCaptureSteps], exit[kMaxCaptureSteps];
  StepCounts counts = plan_steps(table, prototype, entry, exit);
  auto *plan = static_cast<CapturePlan *>(allocate(sizeof(CapturePlan)));
  auto *steps =
      static_cast<CaptureStep *>(allocate((counts.entry + counts.exit) * sizeof(CaptureStep)));
  if (!plan || !steps)
    return nullptr;
  copy_bytes(steps, entry, counts.entry * sizeof(CaptureStep));
  copy_bytes(steps + counts.entry, exit, counts.exit * sizeof(CaptureStep));
  *plan = plan_of(steps, counts.entry, counts.exit);
  return plan;
}

const CapturePlan *find_plan(const PrototypeTable &table, const nophook_prototype *prototype) {
  uint64_t key = (uint64_t)prototype->id_high << 32 | prototype->id_low;
  if (!key || !reserve_known())
    return nullptr;
  KnownPlan *slot = slot_of(key);
  if (!slot->key) {
    CapturePlan *plan = make_plan(table, prototype);
    if (!plan)
      return nullptr;
    *slot = {key, plan};
    g_known_count++;
  }
  return slot->plan;
}

// Makes room in the table by id. The old table stays: an event may be reading it. Rooms double, so
// the old ones sum up to one more.
Status reserve_plans() {
  uint32_t wanted = id_limit();
  if (g_capture_plans && wanted <= g_plan_room)
    return {};
  uint32_t room = (uint32_t)round_up(wanted * uint64_t{2} + 1, kPageBytes);
  auto **table =
      static_cast<const CapturePlan **>(map_pages(room * sizeof(*g_capture_plans), MAP_NORESERVE));
  if (!table)
    return failure(ENOMEM, "no memory for a table of functions");
  if (g_capture_plans)
    copy_bytes(table, g_capture_plans, g_plan_room * sizeof(*g_capture_plans));
  __atomic_store_n(&g_capture_plans, table, __ATOMIC_RELEASE);
  g_plan_room = room;
  return {};
}

Status prepare_module(Module *module) {
  PrototypeTable table;
  NOPHOOK_TRY(table.read(module));
  ArgsRange range = module_args(module);
  uint32_t count = module->records.count();
  for (const struct nophook_args *a = range.begin; a != range.end; a++) {
    if (NOPHOOK_ARGS_CALL_VERSION(a->call) != NOPHOOK_ARGS_VERSION || !a->prototype)
      continue;
    uint64_t pc = args_pc(range, a);
    uint32_t index = module->records.lower_bound(pc);
    if (index >= count || module->records.ip(index) - pc >= a->size)
      continue;
    const nophook_prototype *prototype = table.find(a->prototype);
    // Behind the prologue the stack pointer has moved, and registers may have been used.
    if (!prototype || NOPHOOK_ARGS_REASON(a->call) == NOPHOOK_REASON_AFTER_PROLOGUE)
      continue;
    if (const CapturePlan *plan = find_plan(table, prototype))
      g_capture_plans[module->first_id + index] = plan;
  }
  return {};
}

} // namespace

const CapturePlan **g_capture_plans = nullptr;
constexpr CapturePlan kDefaultPlan = plan_of(kDefaultSteps, 6, 1);

Status prepare_capture_plans() {
  NOPHOOK_TRY(reserve_plans());
  for (Module *module = first_module(); module; module = module->next) {
    if (!module->loaded || module->has_plans || !module->records.count())
      continue;
    NOPHOOK_TRY(prepare_module(module));
    module->has_plans = true;
  }
  return {};
}

} // namespace nophook
