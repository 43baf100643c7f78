// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the steps of a plan, and counts the bytes that are left of the event.

#include "capture/capture.h"

#include "arch/vectors.h"
#include "base/bytes.h"
#include "base/leb.h"
#include "base/own_identity.h"
#include "base/safe_read.h"
#include "ops/thread.h"

namespace nophook {
namespace {

bool g_reads_memory = true; // whether the kernel lets us read our memory, as far as is known

uint64_t general_register(const ftrace_regs *regs, uint32_t number) {
  return regs->general.at(Arch::Regs::kByDwarfNumber[number % kValueRegisters]);
}

class Capture {
public:
  Capture(const ftrace_regs *regs, CapturedValues *values) : regs_(regs), values_(values) {
    values->text[0] = NOPHOOK_VALUES_CALL;
    values->bytes = 1;
  }

  void run(const CaptureStep *step, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
      run(step[i]);
  }

private:
  void run(const CaptureStep &step) {
    if (step.what >= CaptureStep::kMemory) {
      chunks_[chunk_count_] = {};
      read(step, &chunks_[chunk_count_++]);
      return;
    }
    if (!has_room(step.bytes))
      return;
    switch (step.what) {
    case CaptureStep::kGeneral:
      tag(NOPHOOK_VALUE_GENERAL, step.number);
      sleb(general_register(regs_, step.number));
      return;
    case CaptureStep::kSse:
      tag(NOPHOOK_VALUE_SSE, step.number);
      uleb(step.bytes);
      read_vector_register(step.number, step.bytes, end());
      values_->bytes += step.bytes;
      return;
    case CaptureStep::kX87:
      tag(NOPHOOK_VALUE_X87, step.number);
      read_x87_register(step.number, end());
      values_->bytes += 10;
      return;
    default:
      tag(NOPHOOK_VALUE_STACK, 0);
      uleb(step.at.offset);
      uleb(step.bytes);
      copy_bytes(end(), stack_argument(step.at.offset), step.bytes);
      values_->bytes += step.bytes;
      return;
    }
  }

  struct Chunk { // a range in values_->text
    uint16_t at;
    uint16_t bytes;
  };

  static constexpr uint32_t kNumberBytes = 1 + 10 + 3; // bytes of a tag and two numbers
  bool has_room(uint32_t bytes) const {
    return values_->bytes + kNumberBytes + bytes <= sizeof(values_->text);
  }
  uint8_t *end() { return values_->text + values_->bytes; }
  void put(uint8_t byte) { values_->text[values_->bytes++] = byte; }
  void tag(uint32_t what, uint32_t number) { put((uint8_t)(what << NOPHOOK_VALUE_SHIFT | number)); }
  void uleb(uint64_t value) { values_->bytes = (uint32_t)(put_uleb(end(), value) - values_->text); }
  void sleb(uint64_t value) {
    values_->bytes = (uint32_t)(put_sleb_at_once(end(), value) - values_->text);
  }

  const char *stack_argument(uint32_t offset) const {
    return reinterpret_cast<const char *>(regs_->general.stack_arguments()) + offset;
  }

  bool fetch(const CaptureSource &source, uint64_t *value) const {
    const void *from = nullptr;
    switch (source.where) {
    case CaptureSource::kGeneral:
      *value = general_register(regs_, source.number);
      return true;
    case CaptureSource::kStack:
      from = stack_argument(source.offset);
      break;
    case CaptureSource::kChunk:
      if (source.number < chunk_count_ && source.offset + 8 <= chunks_[source.number].bytes)
        from = values_->text + chunks_[source.number].at + source.offset;
      break;
    }
    if (!from)
      return false;
    copy_bytes(value, from, sizeof(*value));
    return true;
  }

  // Reads memory. Unreadable memory leaves no item.
  void read(const CaptureStep &step, Chunk *chunk) {
    uint64_t address, wanted = step.bytes, length;
    if (!g_reads_memory || !has_room(step.bytes) || !fetch(step.at, &address) || !address)
      return;
    if (step.what == CaptureStep::kText) {
      if (!fetch(step.length, &length))
        return;
      wanted = length < wanted ? length : wanted;
    }
    uint32_t before = values_->bytes;
    tag(NOPHOOK_VALUE_MEMORY, 0);
    sleb(address);
    // The length stands in front of the bytes, but is known only behind them.
    uint32_t length_bytes = wanted < 0x80 ? 1 : 2;
    uint8_t *data = end() + length_bytes;
    long read = wanted ? safe_read(this_thread()->tid, address, data, wanted) : 0;
    uint64_t got = read > 0 ? (uint64_t)read : 0;
    if (step.what == CaptureStep::kCString)
      got = up_to_its_end(data, got);
    else if (got < wanted)
      got = 0;
    if (!got) {
      values_->bytes = before;
      return;
    }
    if (length_bytes == 2)
      put((uint8_t)(got | 0x80));
    put((uint8_t)(got >> 7 * (length_bytes - 1)));
    values_->bytes += (uint32_t)got;
    *chunk = {(uint16_t)(data - values_->text), (uint16_t)got};
  }

  static uint64_t up_to_its_end(const uint8_t *text, uint64_t bytes) {
    for (uint64_t i = 0; i < bytes; i++)
      if (!text[i])
        return i + 1;
    return bytes;
  }

  const ftrace_regs *regs_;
  CapturedValues *values_;
  Chunk chunks_[kMaxCaptureChunks];
  uint32_t chunk_count_ = 0;
};

} // namespace

void capture_entry(const CapturePlan *plan, const ftrace_regs *regs, CapturedValues *values) {
  Capture capture(regs, values);
  capture.run(plan->steps, plan->entry_steps);
}

void capture_exit(const CapturePlan *plan, const ftrace_regs *regs, CapturedValues *values) {
  Capture capture(regs, values);
  capture.run(plan->steps + plan->entry_steps, plan->exit_steps);
}

bool can_read_memory() {
  uint64_t from = 1, to = 0;
  uint64_t there = reinterpret_cast<uint64_t>(&from);
  g_reads_memory = safe_read(thread_id(), there, &to, sizeof to) == sizeof to;
  return g_reads_memory;
}

} // namespace nophook
