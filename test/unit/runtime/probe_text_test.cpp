// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of dynamic_events: their parts, the names of events without one, and errors with their
// places.

#include "events/probe_text.h"

#include "guarded_text.h"

#include <gtest/gtest.h>

#include <nophook/kernel_events.h>

#include <string>

using namespace nophook;

namespace {

constexpr FetchScope kScope = {false, nullptr, nullptr, nullptr};

// The text `KIND GROUP/EVENT FUNCTION`, with `return` behind it; or the error's reason.
std::string parts(std::string_view line) {
  GuardedText guarded(line);
  ProbeText probe;
  if (ParseError error = parse_probe(guarded.data(), guarded.size(), &probe))
    return error.reason;
  return std::string(1, probe.kind) + " " + probe.group.c_str() + "/" + probe.event.c_str() + " " +
         probe.function.c_str() + (probe.is_return ? " return" : "");
}

void refused(std::string_view line, uint32_t at, const char *reason) {
  GuardedText guarded(line);
  ProbeText probe;
  ParseError error = parse_probe(guarded.data(), guarded.size(), &probe);
  ASSERT_TRUE(error) << line;
  EXPECT_STREQ(error.reason, reason) << line;
  EXPECT_EQ(error.at, at) << line;
}

ParseError arguments(std::string_view line, ProbeText *probe) {
  GuardedText guarded(line);
  return parse_arguments(guarded.data(), guarded.size(), kScope, probe);
}

void arguments_refused(std::string_view line, uint32_t at, const char *reason) {
  ProbeText probe;
  ParseError error = arguments(line, &probe);
  ASSERT_TRUE(error) << line;
  EXPECT_STREQ(error.reason, reason) << line;
  EXPECT_EQ(error.at, at) << line;
}

} // namespace

TEST(ProbeText, Parts) {
  EXPECT_EQ(parts("f:mine/ev parse"), "f mine/ev parse");
  EXPECT_EQ(parts("f:mine.ev parse"), "f mine/ev parse");
  EXPECT_EQ(parts("  p:ev parse+0 a=$arg1"), "p kprobes/ev parse");
  EXPECT_EQ(parts("f:ev parse%return"), "f fprobes/ev parse return");
  EXPECT_EQ(parts("f:ev parse+0%return"), "f fprobes/ev parse return");
  EXPECT_EQ(parts("r4096:ev parse"), "r kprobes/ev parse return");
  EXPECT_EQ(parts("f2:ev _ZN3app5parseEv"), "f fprobes/ev _ZN3app5parseEv");
}

TEST(ProbeText, EventsWithoutAName) {
  EXPECT_EQ(parts("f parse"), "f fprobes/parse__entry parse");
  EXPECT_EQ(parts("f:mine/ parse%return"), "f mine/parse__exit parse return");
  EXPECT_EQ(parts("p parse.isra.0"), "p kprobes/p_parse_isra_0_0 parse.isra.0");
  EXPECT_EQ(parts("r parse"), "r kprobes/r_parse_0 parse return");
}

TEST(ProbeText, Removals) {
  EXPECT_EQ(parts("-:mine/ev"), "- mine/ev ");
  EXPECT_EQ(parts("-:mine/"), "- mine/ ");
  EXPECT_EQ(parts("-:ev"), "- /ev ");
  refused("-", 1, "Event name is not specified");
  refused("-:", 2, "Event name is not specified");
}

TEST(ProbeText, WhatIsWrongAndWhere) {
  refused("", 0, "Invalid probed address or symbol");
  refused("x:ev parse", 0, "Invalid probed address or symbol");
  refused("f:ev", 4, "Invalid probed address or symbol");
  refused("f:ev %return", 5, "Invalid probed address or symbol");
  refused("f:ev " + std::string(255, 'a'), 5, "Invalid probed address or symbol");
  refused("p1:ev parse", 1, "Maxactive is only for function exit");
  refused("r4097:ev parse", 1, "Maxactive is too big");
  refused("fx:ev parse", 1, "Invalid maxactive number");
  refused("f: parse", 2, "Event name is not specified");
  refused("f:/ev parse", 2, "Group name is not specified");
  refused("f:1g/ev parse", 2, "Group name must follow the same rules as C identifiers");
  refused("f:" + std::string(64, 'g') + "/ev parse", 2, "Group name is too long");
  refused("f:g/e-v parse", 4, "Event name must follow the same rules as C identifiers");
  refused("f:g/" + std::string(64, 'e') + " parse", 4, "Event name is too long");
  refused("f:ev parse+4", 10, "Probe point is not an instruction boundary");
  refused("r:ev parse+4", 10, "Retprobe address must be an function entry");
  refused("f:ev parse+x", 10, "Retprobe address must be an function entry");
  refused("r:ev parse%return", 10, "Invalid probed address suffix");
  refused("f:ev parse%returns", 17, "Invalid probed address suffix");
  refused("f:ev parse%other", 10, "Invalid probed address suffix");
}

TEST(ProbeText, NamesOfFullLength) {
  std::string name(63, 'n'), function(254, 'f');
  EXPECT_EQ(parts("f:" + name + "/" + name + " parse"), "f " + name + "/" + name + " parse");
  EXPECT_EQ(parts("f:ev " + function), "f fprobes/ev " + function);
}

TEST(ProbeText, ArgumentsHaveTheirPlaces) {
  ProbeText probe;
  ParseError error = arguments("f:ev parse a=$stack:u32 +8($stack):u16[3] who=$comm", &probe);
  ASSERT_FALSE(error) << error.reason;
  ASSERT_EQ(probe.arguments.size(), 3u);
  EXPECT_EQ(probe.arguments[0].offset, sizeof(KernelProbe));
  EXPECT_STREQ(probe.arguments[1].name.c_str(), "arg2");
  EXPECT_EQ(probe.arguments[1].offset, sizeof(KernelProbe) + 4);
  EXPECT_EQ(probe.arguments[2].offset, sizeof(KernelProbe) + 10);
  EXPECT_EQ(probe.record_bytes, sizeof(KernelProbe) + 14);
}

TEST(ProbeText, ArgumentsThatAreWrong) {
  arguments_refused("f:ev parse a=$stack a=$comm", 20, "This argument name is already used");
  arguments_refused("f:ev parse  $nothing", 12, "Invalid $-valiable specified");
  arguments_refused("f:ev parse b=%none", 14, "Invalid register name or number");
  arguments_refused("f:ev parse $arg*", 11, "No BTF entry for this probe point");
  std::string many = "f:ev parse";
  for (int i = 0; i < 128; i++)
    many += " $stack";
  ProbeText probe;
  EXPECT_FALSE(arguments(many, &probe));
  arguments_refused(many + " $stack", (uint32_t)many.size() + 1,
                    "Too many arguments are specified");
}

// Each prefix of a good line is read without a read behind its end.
TEST(ProbeText, EndsWhereTheLineEnds) {
  constexpr std::string_view kLine = "r12:mine/event parse_it+0 a=+8($stack):u32 b=\\\"x\"";
  for (size_t bytes = 0; bytes <= kLine.size(); bytes++) {
    GuardedText guarded(kLine.substr(0, bytes));
    ProbeText probe;
    ParseError error = parse_probe(guarded.data(), guarded.size(), &probe);
    EXPECT_LE(error.at, bytes) << bytes;
    if (!error)
      EXPECT_LE(parse_arguments(guarded.data(), guarded.size(), kScope, &probe).at, bytes) << bytes;
  }
}
