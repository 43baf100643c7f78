// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/steps/name_changes.h"

#include "read/steps/event_fields.h"

#include <nophook/event_kinds.h>

#include <vector>

namespace nophook {

namespace {

class NameChanges : public StepSource {
public:
  NameChanges(const TscClock &clock, const std::vector<RecordedStream::Name> &names) {
    for (size_t i = 1; i < names.size(); i++)
      if (names[i].name != names[i - 1].name)
        changes_.push_back({clock.tick_of((int64_t)names[i].ns), text_field(names[i].name)});
  }

  bool any() const { return !changes_.empty(); }

  bool next(Step *step) override {
    if (next_ == changes_.size())
      return false;
    const Change &change = changes_[next_++];
    *step = Step();
    step->shape = Step::kInstant;
    step->kind = Step::kOther;
    step->id = NOPHOOK_CONTROL_RENAME;
    step->cpu = NOPHOOK_CPU_UNKNOWN;
    step->tsc = change.tsc;
    step->arguments = change.words;
    return true;
  }

private:
  struct Change {
    uint64_t tsc;
    std::vector<uint64_t> words;
  };
  std::vector<Change> changes_;
  size_t next_ = 0;
};

} // namespace

std::unique_ptr<StepSource> name_changes(const Recording &recording, uint32_t stream) {
  const std::vector<RecordedStream::Name> &names = recording.streams().at(stream).names;
  if (names.size() < 2 || recording.clock().counts_events) // ticks are no time there
    return nullptr;
  auto changes = std::make_unique<NameChanges>(recording.clock(), names);
  return changes->any() ? std::move(changes) : nullptr;
}

} // namespace nophook
