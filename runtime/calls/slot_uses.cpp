// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans a module's executable segments for uses of its slots.

#include "calls/slot_uses.h"

#include "arch/arch.h"
#include "base/binary_search.h"
#include "base/sort.h"

#include <errno.h>
#include <sys/mman.h>

#include <nophook/got_uses.h>

namespace nophook {

// Only loaded descriptors are read, not the records of imports that are in the file
// (calls/import_table.h).
Status SlotUses::read_ranges(Module *module) {
  const ArgsRange args = module_args(module);
  const uint64_t place = reinterpret_cast<uint64_t>(args.begin);
  if (place < module->start || place >= module->end)
    return {};
  for (const struct nophook_args *entry = args.begin; entry != args.end; entry++) {
    if (NOPHOOK_ARGS_CALL_VERSION(entry->call) != NOPHOOK_ARGS_VERSION)
      continue;
    const uint64_t start = args_pc(args, entry);
    if (!described_.push({start, start + entry->size}))
      return failure(ENOMEM, "no memory for calls into libraries");
  }
  sort(described_.data(), described_.size(),
       [](const Range &a, const Range &b) { return a.start < b.start; });
  return {};
}

int SlotUses::is_described(const void *uses, uint64_t address) {
  const auto &ranges = static_cast<const SlotUses *>(uses)->described_;
  const uint64_t behind =
      lower_bound(ranges.size(), [&](uint64_t i) { return ranges[i].start <= address; });
  return behind && address < ranges[behind - 1].end;
}

Status SlotUses::read(Module *module, const Array<uint64_t> &slots) {
  slots_ = &slots;
  if (slots.empty())
    return {};
  NOPHOOK_TRY(read_ranges(module));
  Array<uint8_t> pages;
  if (!uses_.reserve(slots.size()) || !pages.reserve(slots.size()))
    return failure(ENOMEM, "no memory for calls into libraries");
  for (uint64_t i = 0; i < slots.size(); i++) {
    uses_.append(0);
    pages.append(0);
  }
  nophook_got_scan scan = {slots.begin(), uses_.data(), pages.data(), slots.size(), {},
                           is_described,  this};
  for (uint32_t i = 0; i < module->text_count; i++) {
    const TextSegment &text = module->text[i];
    if (text.prot & PROT_READ)
      nophook_got_scan_code(&scan, Arch::kMachine, reinterpret_cast<const uint8_t *>(text.start),
                            text.end - text.start, text.start);
    else // unknown code may use all slots
      for (uint8_t &uses : uses_)
        uses |= NOPHOOK_GOT_UNKNOWN;
  }
  nophook_got_scan_end(&scan);
  return {};
}

uint8_t SlotUses::of(uint64_t slot) const {
  const uint64_t at = lower_bound(slots_->size(), [&](uint64_t i) { return (*slots_)[i] < slot; });
  return at < slots_->size() && (*slots_)[at] == slot ? uses_[at] : (uint8_t)NOPHOOK_GOT_UNKNOWN;
}

} // namespace nophook
