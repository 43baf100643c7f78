// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of records of include/nophook/prototype.h that are being made, each content once.
//
// Plugin and recordmcount write the same records by different means: one as variables of a
// module, the other as sections of an object. Both get them here, and write the table when it is
// complete. Equal contents have equal hashes in both tools: a record is in a COMDAT group named by
// its hash, and the linker keeps one of all objects'.

#ifndef NOPHOOK_PROTOTYPES_RECORD_TABLE_H
#define NOPHOOK_PROTOTYPES_RECORD_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include <cstdint>
#include <string>
#include <vector>

namespace nophook::prototypes {

// The target of a link, and a hash of its content.
struct Target {
  enum Kind : uint8_t { kNothing, kText, kRecord };
  Kind kind = kNothing;
  uint32_t number = 0; // number in the table
  uint64_t hash = 0;

  explicit operator bool() const { return kind != kNothing; }
};

// The word by which a link names a type.
inline uint32_t type_id(uint64_t hash) {
  return uint32_t(hash) | 1;
}

// The words of a record, some of which are links.
struct LinkedRecord {
  llvm::SmallVector<uint32_t, 16> words;
  // (index of the word, target). The words of links to records are complete; those of links to
  // texts are distances, which the linker fills in.
  llvm::SmallVector<std::pair<unsigned, Target>, 8> links;

  void add(uint32_t word) { words.push_back(word); }
  void add(Target target) {
    if (target)
      links.push_back({unsigned(words.size()), target});
    words.push_back(target.kind == Target::kRecord ? type_id(target.hash) : 0);
  }
  uint64_t hash() const;
};

class RecordTable {
public:
  // Adds a text; an empty one has no target.
  Target text(llvm::StringRef text);
  // Adds a record. `hash` identifies the contents; `kind` and `hash` are the name.
  Target record(LinkedRecord record, uint64_t hash, const char *kind);

  struct Named {
    std::string name; // name without the prefix of its section
    LinkedRecord record;
  };
  // All records, in their order: links lead to earlier ones.
  const std::vector<Named> &records() const { return records_; }
  const std::vector<llvm::StringRef> &texts() const { return texts_; }

private:
  llvm::StringMap<Target> known_texts_;
  llvm::DenseMap<uint64_t, Target> known_records_;
  std::vector<llvm::StringRef> texts_; // texts; their memory is in known_texts_
  std::vector<Named> records_;
};

} // namespace nophook::prototypes

#endif // NOPHOOK_PROTOTYPES_RECORD_TABLE_H
