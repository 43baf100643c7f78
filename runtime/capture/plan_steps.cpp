// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks through a prototype's types, and adds a step for each value that is shown.

#include "capture/plan_steps.h"

#include "arch/arch.h"
#include "arch/vectors.h"
#include "base/bytes.h"

#include <nophook/args.h>
#include <nophook/buffer.h>

namespace nophook {
namespace {

constexpr uint32_t kMaxIndirections = 3; // the most pointers behind pointers
constexpr uint32_t kMaxNesting = 8;      // the most structures in structures
constexpr uint32_t kMaxElements = 4;     // the most elements of an array of strings

// A value of the call: a place and its pieces, or the memory that a step has read.
struct Value {
  uint32_t place;
  const nophook_piece *pieces;
  uint32_t piece_count;
};

class Planner {
public:
  Planner(const PrototypeTable &table, CaptureStep *steps) : table_(table), steps_(steps) {}

  uint32_t count() const { return count_; }

  // Plans the steps for all data that is needed to show a value of this type at this place.
  void plan(const Value &value, const nophook_type *type) {
    if (!type)
      return;
    uint32_t bytes = type->bytes;
    uint8_t chunk = keep(value.place, bytes);
    for (uint32_t i = 0; i < value.piece_count; i++)
      keep(value.pieces[i].place, value.pieces[i].bytes);
    value_ = &value;
    if (chunk != kNoChunk)
      follow(type, {CaptureSource::kChunk, chunk, 0}, 0, 0);
    else
      follow(type, {CaptureSource::kGeneral, kInValue, 0}, 0, 0);
  }

private:
  static constexpr uint8_t kNoChunk = 255;
  // Number of a source that is still to be looked up in value_.
  static constexpr uint8_t kInValue = 255;

  uint8_t add(const CaptureStep &step) {
    if (count_ == kMaxCaptureSteps)
      return kNoChunk;
    bool reads = step.what >= CaptureStep::kMemory;
    if (reads && chunks_ == kMaxCaptureChunks)
      return kNoChunk;
    steps_[count_++] = step;
    return reads ? chunks_++ : kNoChunk;
  }

  void keep_general(uint32_t number) {
    if (number >= kValueRegisters || general_ & 1u << number)
      return;
    general_ |= 1u << number;
    add({CaptureStep::kGeneral, (uint8_t)number, 8, {}, {}});
  }

  void keep_vector(uint8_t number, uint32_t bytes) {
    uint32_t width = bytes <= 16 ? 16 : bytes <= 32 ? 32 : 64;
    if (number < kVectorRegisters && width <= vector_register_bytes())
      add({CaptureStep::kSse, number, (uint16_t)width, {}, {}});
  }

  void keep_stack(uint32_t offset, uint32_t bytes) {
    if (bytes && bytes <= NOPHOOK_VALUE_OBJECT_BYTES && offset + bytes <= NOPHOOK_COPY_MAX_BYTES)
      add({CaptureStep::kStack,
           0,
           (uint16_t)bytes,
           {CaptureSource::kStack, 0, (uint16_t)offset},
           {}});
  }

  uint8_t keep_memory(const CaptureSource &at, uint32_t bytes) {
    if (!bytes || bytes > NOPHOOK_VALUE_OBJECT_BYTES)
      return kNoChunk;
    return add({CaptureStep::kMemory, 0, (uint16_t)bytes, at, {}});
  }

  // Adds a step for a place. Returns the number of the memory step, if the place takes one.
  uint8_t keep(uint32_t place, uint32_t bytes) {
    uint8_t number = NOPHOOK_PLACE_NUMBER(place);
    uint16_t offset = NOPHOOK_PLACE_OFFSET(place);
    switch (NOPHOOK_PLACE_WHERE(place)) {
    case NOPHOOK_PLACE_GENERAL:
      keep_general(number);
      break;
    case NOPHOOK_PLACE_SSE:
      keep_vector(number, bytes);
      break;
    case NOPHOOK_PLACE_X87:
      if (number < Arch::kX87Results)
        add({CaptureStep::kX87, number, 10, {}, {}});
      break;
    case NOPHOOK_PLACE_STACK:
      keep_stack(offset, bytes);
      break;
    case NOPHOOK_PLACE_AT_GENERAL:
      keep_general(number);
      return number < kValueRegisters ? keep_memory({CaptureSource::kGeneral, number, 0}, bytes)
                                      : kNoChunk;
    case NOPHOOK_PLACE_AT_STACK:
      keep_stack(offset, 8);
      return keep_memory({CaptureSource::kStack, 0, offset}, bytes);
    default:
      break;
    }
    return kNoChunk;
  }

  // Finds the place of bytes [at, at + 8) of the present value; false: they are not in one place.
  bool locate_in_value(uint32_t at, CaptureSource *source) const {
    auto in_place = [&](uint32_t place, uint32_t start) {
      if (NOPHOOK_PLACE_WHERE(place) == NOPHOOK_PLACE_GENERAL && at == start)
        *source = {CaptureSource::kGeneral, (uint8_t)NOPHOOK_PLACE_NUMBER(place), 0};
      else if (NOPHOOK_PLACE_WHERE(place) == NOPHOOK_PLACE_STACK &&
               NOPHOOK_PLACE_OFFSET(place) + at - start + 8 <= NOPHOOK_COPY_MAX_BYTES)
        *source = {CaptureSource::kStack, 0, (uint16_t)(NOPHOOK_PLACE_OFFSET(place) + at - start)};
      else
        return false;
      return source->where == CaptureSource::kStack || source->number < kValueRegisters;
    };
    for (uint32_t i = 0; i < value_->piece_count; i++) {
      const nophook_piece &piece = value_->pieces[i];
      if (at >= piece.at && at + 8 <= (uint32_t)piece.at + piece.bytes)
        return in_place(piece.place, piece.at);
    }
    return !value_->piece_count && in_place(value_->place, 0);
  }

  bool locate(const CaptureSource &base, uint32_t at, CaptureSource *source) const {
    if (base.number == kInValue && base.where == CaptureSource::kGeneral)
      return locate_in_value(base.offset + at, source);
    *source = base;
    source->offset = (uint16_t)(source->offset + at);
    return base.offset + at + 8 <= NOPHOOK_VALUE_OBJECT_BYTES;
  }

  // Plans the reading of the memory that the value of `type` at `base` points at, as far as it is
  // shown instead.
  void follow(const nophook_type *type, const CaptureSource &base, uint32_t indirections,
              uint32_t nesting) {
    CaptureSource at, length;
    const nophook_member *members = PrototypeTable::members(type);
    switch (type->kind) {
    case NOPHOOK_KIND_C_STRING:
      if (locate(base, 0, &at))
        add({CaptureStep::kCString, 0, NOPHOOK_VALUE_TEXT_BYTES, at, {}});
      return;
    case NOPHOOK_KIND_STRING:
      if (type->members == 2 && locate(base, members[0].low / 8, &at) &&
          locate(base, members[1].low / 8, &length))
        add({CaptureStep::kText, 0, NOPHOOK_VALUE_TEXT_BYTES, at, length});
      return;
    case NOPHOOK_KIND_POINTER:
    case NOPHOOK_KIND_REFERENCE: {
      const nophook_type *element = table_.type(type->element);
      if (!element || indirections == kMaxIndirections || !locate(base, 0, &at))
        return;
      uint8_t chunk = keep_memory(at, element->bytes);
      if (chunk != kNoChunk)
        follow(element, {CaptureSource::kChunk, chunk, 0}, indirections + 1, nesting);
      return;
    }
    case NOPHOOK_KIND_STRUCT:
    case NOPHOOK_KIND_UNION:
    case NOPHOOK_KIND_VARIANT: // a member without a type is no field
      for (uint32_t i = 0; i < type->members && nesting < kMaxNesting; i++) {
        const nophook_type *field = table_.type(members[i].type);
        if (field && members[i].low % 8 == 0)
          follow(field, moved(base, members[i].low / 8), indirections, nesting + 1);
      }
      return;
    case NOPHOOK_KIND_ARRAY: {
      const nophook_type *element = table_.type(type->element);
      if (!element || !element->bytes || nesting == kMaxNesting)
        return;
      for (uint32_t i = 0; i < kMaxElements && (i + 1) * element->bytes <= type->bytes; i++)
        follow(element, moved(base, i * element->bytes), indirections, nesting + 1);
      return;
    }
    default:
      return;
    }
  }

  static CaptureSource moved(CaptureSource base, uint32_t by) {
    uint32_t offset = base.offset + by;
    base.offset = (uint16_t)(offset < UINT16_MAX ? offset : UINT16_MAX);
    return base;
  }

  const PrototypeTable &table_;
  CaptureStep *steps_;
  const Value *value_ = nullptr;
  uint32_t count_ = 0;
  uint32_t general_ = 0; // set of the registers that have a step already
  uint8_t chunks_ = 0;
};

} // namespace

StepCounts plan_steps(const PrototypeTable &table, const nophook_prototype *prototype,
                      CaptureStep (&entry)[kMaxCaptureSteps],
                      CaptureStep (&exit)[kMaxCaptureSteps]) {
  Planner arguments(table, entry), result(table, exit);
  const nophook_piece *piece = PrototypeTable::pieces(prototype);
  const nophook_piece *end = piece + prototype->pieces;
  auto value_at = [&](uint32_t place) {
    Value value = {place, piece, 0};
    if (NOPHOOK_PLACE_WHERE(place) == NOPHOOK_PLACE_PIECES &&
        NOPHOOK_PLACE_NUMBER(place) <= (uint64_t)(end - piece)) {
      value.piece_count = NOPHOOK_PLACE_NUMBER(place);
      piece += value.piece_count;
    }
    return value;
  };
  result.plan(value_at(prototype->result_place), table.type(prototype->result));
  for (uint32_t i = 0; i < prototype->parameters; i++) {
    const nophook_parameter &parameter = PrototypeTable::parameters(prototype)[i];
    arguments.plan(value_at(parameter.place), table.type(parameter.type));
  }
  return {arguments.count(), result.count()};
}

} // namespace nophook
