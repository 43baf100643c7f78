// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The head of a request to `nophook view` comes from any process: it is read whole, or refused.

#include "show/view/http_head.h"

#include <gtest/gtest.h>

using namespace nophook;

namespace {

HttpHead::State state_of(std::string_view bytes) {
  return parse_head(bytes).state;
}

TEST(HttpHead, HasTheAddressAndTheTwoFields) {
  HttpHead head = parse_head("GET /token/api/rows?from=1&to=a?b HTTP/1.1\r\n"
                             "hOST:  127.0.0.1:80 \r\nOrigin: http://a\r\nX: y\r\n\r\nbody");
  EXPECT_EQ(head.state, HttpHead::kWhole);
  EXPECT_EQ(head.method, "GET");
  EXPECT_EQ(head.path, "/token/api/rows");
  EXPECT_EQ(head.query, "from=1&to=a?b");
  EXPECT_EQ(head.host, "127.0.0.1:80");
  EXPECT_EQ(head.origin, "http://a");
  EXPECT_EQ(parse_head("HEAD / HTTP/1.0\n\n").host, std::nullopt);
}

TEST(HttpHead, EachPartOfOneWaitsForMore) {
  const std::string_view whole = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
  for (size_t bytes = 0; bytes < whole.size(); bytes++)
    EXPECT_EQ(state_of(whole.substr(0, bytes)), HttpHead::kPart) << bytes;
  EXPECT_EQ(state_of(whole), HttpHead::kWhole);
}

TEST(HttpHead, AnythingElseIsRefused) {
  EXPECT_EQ(state_of("\n\n"), HttpHead::kBad);
  EXPECT_EQ(state_of("GET http://a/ HTTP/1.1\n\n"), HttpHead::kBad);
  EXPECT_EQ(state_of("GET /\n\n"), HttpHead::kBad);
  EXPECT_EQ(state_of("GET / HTTP/2\n\n"), HttpHead::kBad);
  EXPECT_EQ(state_of("GET / HTTP/1.1\nHost: a\nHost: b\n\n"), HttpHead::kBad);
  EXPECT_EQ(state_of(std::string(kMostHeadBytes - 1, 'a')), HttpHead::kPart);
  EXPECT_EQ(state_of(std::string(kMostHeadBytes, 'a')), HttpHead::kBad);
  EXPECT_EQ(state_of(std::string(2 * kMostHeadBytes, 'a') + "\n\n"), HttpHead::kBad);
}

} // namespace
