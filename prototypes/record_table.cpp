// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of equal records and texts, found by their hashes.

#include "record_table.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace nophook::prototypes {

// A hash of the record's meaning: its links depend on its place, the contents of their targets do
// not.
uint64_t LinkedRecord::hash() const {
  llvm::SmallVector<uint32_t, 64> content(words.begin(), words.end());
  for (const auto &[index, target] : links) {
    content.push_back(index);
    content.push_back(uint32_t(target.hash));
    content.push_back(uint32_t(target.hash >> 32));
  }
  return llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(content.data()), content.size() * sizeof(uint32_t)));
}

Target RecordTable::text(llvm::StringRef text) {
  if (text.empty())
    return {};
  const auto [known, is_new] = known_texts_.try_emplace(text);
  if (is_new) {
    known->second = {Target::kText, uint32_t(texts_.size()), llvm::xxh3_64bits(text)};
    texts_.push_back(known->first());
  }
  return known->second;
}

Target RecordTable::record(LinkedRecord record, uint64_t hash, const char *kind) {
  const auto [known, is_new] = known_records_.try_emplace(hash);
  if (is_new) {
    known->second = {Target::kRecord, uint32_t(records_.size()), hash};
    records_.push_back(
        {std::string(kind) + "." + llvm::utohexstr(hash, /*LowerCase=*/true), std::move(record)});
  }
  return known->second;
}

} // namespace nophook::prototypes
