// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prototypes from a table made by hand, right and wrong, and the values that they place.

#include "read/steps/value_text.h"
#include "read/symbols/prototypes.h"

#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>

using namespace nophook;

namespace {

// long work(long number, pair two): number in rdi, two in rsi and on the stack.
struct Table {
  struct {
    nophook_type type;
  } number;
  struct {
    nophook_type type;
    nophook_member members[2];
  } pair;
  struct {
    nophook_prototype prototype;
    nophook_parameter parameters[2];
    nophook_piece pieces[2];
  } work;
};
constexpr char kStrings[] = "long\0pair\0number\0two";
constexpr uint64_t kTableAddress = 0x1000, kStringAddress = 0x8000;

void link(const Table &table, int32_t *field, const void *to) {
  (void)table;
  *field = (int32_t)((const char *)to - (const char *)field);
}
void name(const Table &table, int32_t *field, size_t at) {
  *field = (int32_t)(kStringAddress + at - kTableAddress) -
           (int32_t)((const char *)field - (const char *)&table);
}

Table good_table() {
  Table t = {};
  t.number.type = {NOPHOOK_HEAD(NOPHOOK_RECORD_LINKED_TYPE, sizeof t.number),
                   NOPHOOK_KIND_SIGNED,
                   0,
                   0,
                   8,
                   0,
                   0};
  t.pair.type = {
      NOPHOOK_HEAD(NOPHOOK_RECORD_LINKED_TYPE, sizeof t.pair), NOPHOOK_KIND_STRUCT, 0, 2, 16, 0, 0};
  t.work.prototype = {NOPHOOK_HEAD(NOPHOOK_RECORD_LINKED_PROTOTYPE, sizeof t.work),
                      7,
                      8,
                      0,
                      2,
                      2,
                      0,
                      NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, 0, 0)};
  t.work.parameters[0].place = NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, 5, 0);
  t.work.parameters[1].place = NOPHOOK_PLACE(NOPHOOK_PLACE_PIECES, 0, 2, 0);
  t.work.pieces[0] = {NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, 4, 0), 0, 8};
  t.work.pieces[1] = {NOPHOOK_PLACE(NOPHOOK_PLACE_STACK, 0, 0, 16), 8, 8};
  t.pair.members[0] = {0, 0, 0, 64};
  t.pair.members[1] = {0, 0, 64, 64};
  return t;
}

// Connects the links. They hold distances, so they are made where the table lies.
void connect(Table *t) {
  name(*t, &t->number.type.name, 0);
  name(*t, &t->pair.type.name, 5);
  for (nophook_member &member : t->pair.members)
    link(*t, &member.type, &t->number);
  link(*t, &t->work.prototype.result, &t->number);
  name(*t, &t->work.parameters[0].name, 10);
  link(*t, &t->work.parameters[0].type, &t->number);
  name(*t, &t->work.parameters[1].name, 17);
  link(*t, &t->work.parameters[1].type, &t->pair);
}

class PrototypesTest : public testing::Test {
protected:
  PrototypesTest() { connect(&table); }

  Prototypes read(size_t bytes = sizeof(Table)) {
    DescriptorTables tables;
    tables.prototypes = {kTableAddress, {reinterpret_cast<const uint8_t *>(&table), bytes}};
    tables.strings = {kStringAddress,
                      {reinterpret_cast<const uint8_t *>(kStrings), sizeof kStrings}};
    return Prototypes(tables);
  }
  Table table = good_table();
};

TEST_F(PrototypesTest, IsReadWithNamesAndPlaces) {
  Prototypes prototypes = read();
  EXPECT_EQ(prototypes.damage(), "");
  const Prototype *work = prototypes.find(7);
  ASSERT_NE(work, nullptr);
  EXPECT_EQ(declaration(*work, "work"), "long work(long number, pair two)");
  EXPECT_EQ(place_text(work->parameters[0], llvm::ELF::EM_X86_64), "rdi");
  EXPECT_EQ(place_text(work->parameters[1], llvm::ELF::EM_X86_64), "rsi:stack+16");
  EXPECT_EQ(place_text(work->parameters[0], llvm::ELF::EM_AARCH64), "x5");
  EXPECT_EQ(place_text(work->parameters[1], llvm::ELF::EM_AARCH64), "x4:stack+16");
  EXPECT_EQ(place_text(work->parameters[0], llvm::ELF::EM_RISCV), "?");
  EXPECT_EQ(prototypes.find(9), nullptr);
  EXPECT_EQ(prototypes.find(0), nullptr);
}

TEST_F(PrototypesTest, ValuesComeFromRegistersAndMemory) {
  Prototypes prototypes = read();
  CallRegisters registers;
  registers.general[5] = (uint64_t)-3;
  registers.general[4] = 11;
  registers.stack_arguments = 0x7000;
  auto memory = [](uint64_t address, void *to, size_t bytes) {
    std::memset(to, 0, bytes);
    std::memset(to, 1, 1);
    return address == 0x7010 && bytes == 8 ? bytes : 0;
  };
  const auto &parameters = prototypes.find(7)->parameters;
  EXPECT_EQ(value_text(parameters[0], registers, memory), "-3");
  EXPECT_EQ(value_text(parameters[1], registers, memory), "{11, 1}");
  registers.stack_arguments = 0;
  EXPECT_EQ(value_text(parameters[1], registers, memory), "<unreadable>");
}

TEST_F(PrototypesTest, ValuesOfNoKnownMeaningAreBytes) {
  table.number.type.kind = NOPHOOK_KIND_OPAQUE;
  Prototypes prototypes = read();
  EXPECT_EQ(prototypes.damage(), "");
  CallRegisters registers;
  registers.general[5] = 0x0102030405060708;
  registers.general[4] = 0xab;
  auto none = [](uint64_t, void *, size_t) { return size_t{0}; };
  ValueLimits four = {.elements = 4};
  const Prototype *work = prototypes.find(7);
  ASSERT_NE(work, nullptr);
  EXPECT_EQ(value_text(work->parameters[0], registers, none), "bytes 08 07 06 05 04 03 02 01");
  EXPECT_EQ(value_text(work->parameters[0], registers, none, four), "bytes 08 07 06 05 ...");
}

TEST_F(PrototypesTest, TwoWithTheSameHalfOfTheirIdAreBothUnknown) {
  std::vector<Table> two = {good_table(), good_table()};
  two[1].work.prototype.id_high = 9;
  DescriptorTables tables;
  tables.prototypes = {kTableAddress,
                       {reinterpret_cast<const uint8_t *>(two.data()), 2 * sizeof(Table)}};
  EXPECT_EQ(Prototypes(tables).find(7), nullptr);
  two[1].work.prototype.id_high = 8; // the same prototype twice, as ThinLTO leaves it
  EXPECT_NE(Prototypes(tables).find(7), nullptr);
}

// void take(T *): links to types are ids.
TEST_F(PrototypesTest, TypesAreFoundByTheirIds) {
  struct {
    struct {
      nophook_type type;
      uint32_t id[2];
    } types[2];
    nophook_prototype prototype;
    nophook_parameter parameter;
  } by_id = {};
  for (unsigned i = 0; i < 2; i++) {
    by_id.types[i].type.head = NOPHOOK_HEAD(NOPHOOK_RECORD_TYPE, sizeof by_id.types[i]);
    by_id.types[i].id[0] = 5 + 2 * i;
  }
  by_id.types[0].type = {by_id.types[0].type.head, NOPHOOK_KIND_POINTER, 0, 0, 8, 0, 7};
  by_id.types[1].type = {by_id.types[1].type.head, NOPHOOK_KIND_SIGNED, 0, 0, 4, 0, 0};
  by_id.prototype = {
      NOPHOOK_HEAD(NOPHOOK_RECORD_PROTOTYPE, sizeof by_id.prototype + 12), 9, 0, 0, 1, 0, 0, 0};
  by_id.parameter.type = 5;
  auto type_of_parameter = [&]() -> const Type * {
    DescriptorTables tables;
    tables.prototypes = {kTableAddress, {reinterpret_cast<const uint8_t *>(&by_id), sizeof by_id}};
    static std::optional<Prototypes> prototypes;
    prototypes.emplace(tables);
    EXPECT_EQ(prototypes->damage(), "");
    const Prototype *take = prototypes->find(9);
    return take ? take->parameters[0].type : nullptr;
  };
  const Type *pointer = type_of_parameter();
  ASSERT_NE(pointer, nullptr);
  EXPECT_EQ(pointer->kind, NOPHOOK_KIND_POINTER);
  ASSERT_NE(pointer->element, nullptr);
  EXPECT_EQ(pointer->element->kind, NOPHOOK_KIND_SIGNED);
  by_id.types[1].id[0] = 5; // another type of the same half
  by_id.types[1].id[1] = 1;
  EXPECT_EQ(type_of_parameter(), nullptr);
  by_id.types[1].id[1] = 0; // a copy
  EXPECT_NE(type_of_parameter(), nullptr);
}

TEST_F(PrototypesTest, DamageIsToldWithItsPlace) {
  table.work.prototype.pieces = 3;
  EXPECT_EQ(read().damage(),
            fmt::format("__ftrace_proto+{:#x}: a prototype's size does not fit its "
                        "parameters",
                        offsetof(Table, work)));
  EXPECT_EQ(read().find(7), nullptr);
}

// Every length, and every byte with each of some values, gives an answer and never a crash.
TEST_F(PrototypesTest, SurvivesAnyDamage) {
  CallRegisters registers;
  auto memory = [](uint64_t, void *to, size_t bytes) {
    std::memset(to, 0xff, bytes);
    return bytes;
  };
  auto use = [&](const Prototypes &prototypes) {
    if (const Prototype *work = prototypes.find(7))
      for (const PlacedValue &value : work->parameters) {
        EXPECT_FALSE(value_text(value, registers, memory).empty());
        EXPECT_FALSE(place_text(value, llvm::ELF::EM_X86_64).empty());
      }
  };
  for (size_t bytes = 0; bytes < sizeof table; bytes++)
    use(read(bytes));
  for (size_t at = 0; at < sizeof table; at++)
    for (int value = 0; value < 256; value++) {
      auto *byte = reinterpret_cast<uint8_t *>(&table) + at;
      uint8_t old = std::exchange(*byte, (uint8_t)value);
      use(read());
      *byte = old;
    }
}

} // namespace
