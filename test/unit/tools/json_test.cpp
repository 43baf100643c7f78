// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON is written so that a parser reads it, whatever the texts are. When JSON is read, only texts,
// numbers and flags are kept.

#include "foundation/json.h"

#include <gtest/gtest.h>

namespace nophook {

TEST(Json, WritesValuesInTheirOrder) {
  Json inner = {{"none", Json()}, {"half", 0.5}, {"one", 1.0}};
  Json line = {{"name", "a"}, {"most", ~uint64_t{0}}, {"least", INT64_MIN}, {"is", true}};
  line.add("inner", inner).add("list", Json::list().push(1).push("b").push(Json::object()));
  EXPECT_EQ(line.text(), R"({"name":"a","most":18446744073709551615,"least":-9223372036854775808,)"
                         R"("is":true,"inner":{"none":null,"half":0.5,"one":1.0},)"
                         R"("list":[1,"b",{}]})");
  EXPECT_EQ(Json::list().text(), "[]");
}

TEST(Json, EscapesTexts) {
  EXPECT_EQ(Json("a\"b\\c\n\x01").text(), R"("a\"b\\c\n\u0001")");
  EXPECT_EQ(Json("ä").text(), "\"ä\"");
  EXPECT_EQ(Json("a\xff").text(), "\"a\xEF\xBF\xBD\"");
  EXPECT_EQ(Json::object().add("a\"", 1).text(), R"({"a\"":1})");
}

TEST(Json, ReadsTextsNumbersAndFlags) {
  JsonFields fields;
  ASSERT_TRUE(fields.read(R"({"a":"b","n":-3,"on":true,"x":1.5,"list":[1],"object":{"n":1}})"));
  EXPECT_EQ(fields.text("a"), "b");
  EXPECT_EQ(fields.number("n"), -3);
  EXPECT_TRUE(fields.flag("on"));
  EXPECT_EQ(fields.number("x"), 0);
  EXPECT_EQ(fields.text("list"), "");
  EXPECT_EQ(fields.number("a"), 0);
  EXPECT_FALSE(fields.flag("none"));
  for (const char *text : {"[1]", "{", "", "1", "{\"a\":}"})
    EXPECT_FALSE(fields.read(text)) << text;
}

} // namespace nophook
