// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The claims that must hold for any text: it is taken, or refused with a sentence and a place in it; a probe that is
// taken and listed is the same one when it is written again; a filter is judged for any record; no control file does
// more than refuse.

#include "control_fuzz.h"
#include "demand.h"

#include "events/event_filter.h"
#include "events/probe_text.h"
#include "tracefs/look_verdict.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <tracefs.h>

namespace nophook {

namespace {

bool is_in(const ParseError &error, std::string_view text) {
  return error.at <= text.size() && *error.reason;
}

bool find_any_symbol(const char *name, uint64_t *address) {
  *address = 0x1000;
  return *name == 's';
}

// As the tree lists it; empty: it is refused.
std::string listed(std::string_view line) {
  ProbeText probe;
  ParseError error = parse_probe(line.data(), line.size(), &probe);
  if (!error && probe.kind != '-') {
    FetchScope scope = {probe.is_return, nullptr, nullptr, find_any_symbol};
    error = parse_arguments(line.data(), line.size(), scope, &probe);
  }
  demand(!error || is_in(error, line), "an error is outside", line);
  if (error || probe.kind == '-')
    return {};
  std::string text = {probe.kind, ':'};
  text += std::string(probe.group.c_str()) + "/" + probe.event.c_str() + " ";
  text += probe.function.c_str();
  if (probe.is_return && probe.kind != 'r')
    text += "%return";
  for (const FetchArgument &argument : probe.arguments) {
    demand(argument.step_count && argument.step_count <= kMaxFetchSteps && argument.type,
           "an argument without a value", line);
    text += std::string(" ") + argument.name.c_str() + "=" + argument.text.c_str();
  }
  return text;
}

void check_probe(std::string_view line) {
  std::string once = listed(line);
  if (!once.empty())
    demand(listed(once) == once, "it is listed as another one", line);
}

// A record of 40 bytes: n at 8, u at 16, text's word at 24.
const EventField *find_field(void *, const char *name, uint64_t bytes) {
  static EventField fields[4];
  fields[0].name = {}, fields[1].name = {}, fields[2].name = {}, fields[3].name = {};
  fields[0].name.add("n"), fields[0].offset = 8, fields[0].bytes = 4, fields[0].is_signed = true;
  fields[1].name.add("u"), fields[1].offset = 16, fields[1].bytes = 8;
  fields[2].name.add("text"), fields[2].offset = 24, fields[2].bytes = 4, fields[2].is_text = true;
  fields[3].name.add("comm"), fields[3].bytes = 8, fields[3].is_comm = true;
  for (const EventField &field : fields)
    if (field.name.size() == bytes && memcmp(field.name.c_str(), name, bytes) == 0)
      return &field;
  return nullptr;
}

void check_filter(std::string_view text) {
  EventFilter filter, negated;
  ParseError error = filter.parse(text.data(), text.size(), find_field, nullptr);
  demand(!error || is_in(error, text), "an error is outside", text);
  if (error)
    return;
  std::string opposite = "!(" + std::string(text) + ")";
  if (negated.parse(opposite.data(), opposite.size(), find_field, nullptr))
    return; // it is too deep
  uint8_t record[40];
  for (uint32_t n = 0; n < 8; n++) {
    memset(record, n & 1 ? 0xff : 0, sizeof record);
    uint32_t word = n & 2 ? 32u | 5u << 16 : n & 4 ? 0xffffffff : 0;
    memcpy(record + 24, &word, sizeof word);
    memcpy(record + 32, n & 1 ? "abc\0\0" : "aaaa\0", 5);
    bool passes = filter.matches(record, sizeof record, "comm");
    demand(passes != negated.matches(record, sizeof record, "comm"), "neither it nor its opposite",
           text);
  }
}

// A verdict that is taken means the same when it is written again, and is no longer than three numbers.
void check_verdict(std::string_view text) {
  LookVerdict verdict, again;
  if (!parse_verdict(text.data(), text.size(), &verdict))
    return;
  demand(text.size() < 64 && text.find_first_not_of(" 0123456789abcdef") == text.npos,
         "a verdict of other signs", text);
  char line[64];
  const int bytes = snprintf(line, sizeof line, "%llx %d %llx", (unsigned long long)verdict.look,
                             verdict.tid, (unsigned long long)verdict.state);
  demand(verdict.tid >= 0 && parse_verdict(line, (size_t)bytes, &again) &&
             again.look == verdict.look && again.tid == verdict.tid && again.state == verdict.state,
         "a verdict is another one when it is written again", text);
}

void check_file(const std::string &path, std::string_view text) {
  static char read[1 << 16];
  for (int flags : {O_WRONLY | O_APPEND, O_WRONLY | O_TRUNC}) {
    tracefs_file *file;
    if (tracefs_open(path.c_str(), flags, &file))
      continue;
    long taken = tracefs_append(file, text.data(), text.size() / 2);
    if (taken >= 0)
      tracefs_append(file, text.data() + text.size() / 2, text.size() - text.size() / 2);
    tracefs_close(file);
  }
  tracefs_read(path.c_str(), read, sizeof read);
  long log = tracefs_read("error_log", read, sizeof read);
  demand(log >= 0 && std::none_of(read, read + log,
                                  [](char c) { return (unsigned char)c < ' ' && c != '\n'; }),
         "the error log has no text", text);
}

} // namespace

void check_control(std::string_view input) {
  size_t end = std::min(input.find('\n'), input.size());
  std::string what(input.substr(0, end));
  input.remove_prefix(std::min(end + 1, input.size()));
  if (what == "probe")
    check_probe(input);
  else if (what == "filter")
    check_filter(input);
  else if (what == "verdict")
    check_verdict(input);
  else
    check_file(what, input);
}

} // namespace nophook
