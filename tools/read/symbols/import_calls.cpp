// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides for each slot as the runtime does: by records, by the lists of functions, and by the
// code.

#include "read/symbols/import_calls.h"

#include "read/symbols/site_table.h"

#include <nophook/got_uses.h>
#include <nophook/library_calls.h>

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace nophook {

using namespace llvm::ELF;

namespace {

// The ranges of code with a descriptor, ascending.
class DescribedCode {
public:
  explicit DescribedCode(const TableBytes &source) {
    for (uint64_t at = 0; source.bytes.size() - at >= sizeof(nophook_args);
         at += sizeof(nophook_args)) {
      nophook_args args;
      std::memcpy(&args, source.bytes.data() + at, sizeof args);
      if (NOPHOOK_ARGS_CALL_VERSION(args.call) == NOPHOOK_ARGS_VERSION)
        ranges_.push_back({source.address + at + (uint64_t)(int64_t)args.pc, args.size});
    }
    std::sort(ranges_.begin(), ranges_.end());
  }

  static int holds(const void *code, uint64_t address) {
    const auto &ranges = static_cast<const DescribedCode *>(code)->ranges_;
    auto after = std::upper_bound(ranges.begin(), ranges.end(), std::pair(address, UINT64_MAX));
    return after != ranges.begin() && address - after[-1].first < after[-1].second;
  }

private:
  std::vector<std::pair<uint64_t, uint64_t>> ranges_; // start and size of each
};

// The uses of each slot of the GOT, in the order of `slots`.
std::vector<uint8_t> got_uses(const ElfImage &image, const DescribedCode &described,
                              const std::vector<uint64_t> &slots) {
  std::vector<uint8_t> uses(slots.size()), pages(slots.size());
  if (slots.empty())
    return uses;
  nophook_got_scan scan = {slots.data(), uses.data(),          pages.data(), slots.size(),
                           {},           DescribedCode::holds, &described};
  for (const auto &p : image.segments())
    if (p.p_type == PT_LOAD && p.p_flags & PF_X) {
      const std::span<const uint8_t> code = image.at(p.p_vaddr, p.p_filesz);
      nophook_got_scan_code(&scan, image.machine(), code.data(), code.size(), p.p_vaddr);
    }
  nophook_got_scan_end(&scan);
  return uses;
}

const char *reason_text(nophook_got_answer answer) {
  return answer == NOPHOOK_GOT_ADDRESS_TAKEN ? "address taken"
                                             : "code without records may take its address";
}

LibraryCall from_call(const std::string &name, uint32_t call) {
  Site site;
  site.how = (uint8_t)NOPHOOK_ARGS_HOW(call);
  site.reason = (uint8_t)NOPHOOK_ARGS_REASON(call);
  if (site.how > NOPHOOK_CALL_COPY || site.reason > NOPHOOK_REASON_LAST) // the record is damaged
    site = {};
  if (site.how == NOPHOOK_CALL_THROUGH)
    return {LibraryCall::kThrough, 0, {}};
  if (site.how == NOPHOOK_CALL_COPY)
    return {LibraryCall::kCopy, NOPHOOK_ARGS_STACK_BYTES(call), {}};
  return {nophook_jumped_to_of(name.c_str()) ? LibraryCall::kJumpedTo : LibraryCall::kEntryOnly, 0,
          reason_text(site)};
}

} // namespace

std::vector<LibraryCall> library_calls(const ElfImage &image, const DescriptorTables &descriptors,
                                       const Imports &imports) {
  // The runtime reads the records that are loaded.
  const bool are_loaded = descriptors.strings.bytes.empty();
  const Prototypes prototypes = are_loaded ? Prototypes(descriptors) : Prototypes();
  const DescribedCode described(are_loaded ? descriptors.args : TableBytes());
  std::vector<uint64_t> slots;
  for (const Import &import : imports.functions)
    if (!import.is_plt && import.slot % 8 == 0)
      slots.push_back(import.slot);
  const std::vector<uint8_t> uses = got_uses(image, described, slots);

  std::vector<LibraryCall> calls;
  for (const Import &import : imports.functions) {
    nophook_known_import known = NOPHOOK_IMPORT_NOT_KNOWN;
    for (const nophook_import &record : prototypes.imports(import.name))
      nophook_know_import(&known, &record);
    if (!import.is_plt) {
      auto slot = std::lower_bound(slots.begin(), slots.end(), import.slot);
      const bool is_read = slot != slots.end() && *slot == import.slot;
      const nophook_got_answer answer = nophook_got_answer_of(
          is_read ? uses[slot - slots.begin()] : (uint8_t)NOPHOOK_GOT_UNKNOWN, known.flags);
      if (answer != NOPHOOK_GOT_FOR_CALLS) {
        calls.push_back({LibraryCall::kNotTraced, 0, reason_text(answer)});
        continue;
      }
    }
    const Prototype *prototype = prototypes.find(known.prototype);
    const bool never_returns = prototype && prototype->flags & NOPHOOK_PROTOTYPE_NEVER_RETURNS;
    calls.push_back(
        from_call(import.name, nophook_library_call(import.name.c_str(), &known, never_returns)));
  }
  return calls;
}

std::string how_text(const LibraryCall &call) {
  switch (call.how) {
  case LibraryCall::kThrough:
    return "call-through";
  case LibraryCall::kCopy:
    return fmt::format("call-through, copies {} bytes", call.stack_bytes);
  case LibraryCall::kEntryOnly:
    return "entry only: " + call.reason;
  case LibraryCall::kJumpedTo:
    return "jumped to: " + call.reason;
  default:
    return "not traced: " + call.reason;
  }
}

} // namespace nophook
