// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that a recording has of its own: written and read, whole and damaged.

#include "read/recording/packed.h"
#include "read/symbols/recorded_names.h"

#include <gtest/gtest.h>

using namespace nophook;

namespace {

// long parse(pair two), at 0x1000.
std::vector<uint8_t> example() {
  Type number, pair;
  number.kind = NOPHOOK_KIND_SIGNED;
  number.bytes = 8;
  number.name = "long";
  pair.kind = NOPHOOK_KIND_STRUCT;
  pair.bytes = 16;
  pair.name = "pair";
  pair.members = {{"a", &number, 0, 0, 64}, {"b", &number, 64, 64, 64}};
  Prototype parse;
  parse.id = 7;
  parse.result = {"", &number, NOPHOOK_PLACE(NOPHOOK_PLACE_GENERAL, 0, 0, 0), {}};
  parse.parameters = {{"two", &pair, NOPHOOK_PLACE(NOPHOOK_PLACE_PIECES, 0, 1, 0), {{1, 2, 3}}}};
  RecordedNames names;
  names.path = "/bin/server";
  names.build_id = {1, 2, 3};
  names.ranges = {{0x1000, 0x2000}};
  names.add_symbol({0x1000, 64, "parse", 0, false});
  names.add_prototype(0x1004, parse);
  names.add_prototype(0x1104, parse);
  names.add_import("malloc", parse);
  names.add_line(0x1004, {"server.c", 12});
  return names.encode();
}

TEST(RecordedNames, AreReadAsTheyWereWritten) {
  const auto names = RecordedNames::decode(unpack_names(pack_names(example())));
  ASSERT_TRUE(names);
  EXPECT_EQ(names->path, "/bin/server");
  EXPECT_EQ(names->build_id, (std::vector<uint8_t>{1, 2, 3}));
  EXPECT_EQ(names->ranges.size(), 1u);
  ASSERT_EQ(names->symbols().size(), 1u);
  EXPECT_EQ(names->symbols()[0].name, "parse");
  EXPECT_EQ(names->line(0x1004)->line, 12u);
  EXPECT_EQ(names->line(0x1005), nullptr);
  const Prototype *parse = names->prototype(0x1004);
  ASSERT_TRUE(parse);
  EXPECT_EQ(parse, names->prototype(0x1104)); // one prototype, however many functions have it
  EXPECT_EQ(parse, names->of_import("malloc"));
  EXPECT_EQ(declaration(*parse, "parse"), "long parse(pair two)");
  ASSERT_EQ(parse->parameters[0].type->members.size(), 2u);
  EXPECT_EQ(parse->parameters[0].type->members[1].name, "b");
  EXPECT_EQ(parse->parameters[0].type->members[1].type, parse->result.type);
  EXPECT_EQ(parse->parameters[0].pieces[0].bytes, 3u);
}

TEST(RecordedNames, NoDamageIsReadAsNames) {
  const std::vector<uint8_t> whole = example();
  for (size_t bytes = 0; bytes < whole.size(); bytes++)
    EXPECT_FALSE(RecordedNames::decode(std::span(whole).first(bytes))) << bytes;
  for (size_t at = 0; at < whole.size(); at++)
    for (uint8_t bit = 1; bit; bit <<= 1) {
      std::vector<uint8_t> damaged = whole;
      damaged[at] ^= bit;
      if (const auto names = RecordedNames::decode(damaged)) // then every reference is in it
        if (const Prototype *parse = names->prototype(0x1004))
          EXPECT_LT(declaration(*parse, "parse").size(), 1000u);
    }
}

TEST(RecordedNames, NoDamageIsUnpacked) {
  const std::vector<uint8_t> packed = pack_names(example());
  for (size_t bytes = 0; bytes < packed.size(); bytes++)
    EXPECT_TRUE(unpack_names(std::span(packed).first(bytes)).empty()) << bytes;
  std::vector<uint8_t> damaged = packed;
  damaged[8] = 0xff; // as if it were larger
  EXPECT_TRUE(unpack_names(damaged).empty());
}

} // namespace
