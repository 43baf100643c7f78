// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the definition of a probe up to its arguments, and gives it a name if it has none.

#include "events/probe_text.h"

#include "events/scanner.h"

#include <nophook/kernel_events.h>

namespace nophook {
namespace {

constexpr uint64_t kNameBytes = 63;

bool is_name(const char *text, uint64_t bytes) {
  bool good = bytes && is_name_start(*text);
  for (uint64_t i = 0; i < bytes; i++)
    good = good && is_name_part(text[i]);
  return good;
}

uint64_t word_length(const Scanner &in) {
  return in.length_of([](char c) { return !is_blank(c); });
}

// Parses `[GROUP/][EVENT]`; a removal may leave the event out.
ParseError parse_names(const char *text, uint64_t bytes, uint64_t at, ProbeText *probe) {
  auto place = [&](uint64_t offset) { return (uint32_t)(at + offset); };
  uint64_t slash = 0;
  while (slash < bytes && text[slash] != '/' && text[slash] != '.')
    slash++;
  if (slash < bytes) {
    if (!slash)
      return {"Group name is not specified", place(0)};
    if (slash > kNameBytes)
      return {"Group name is too long", place(0)};
    if (!is_name(text, slash))
      return {"Group name must follow the same rules as C identifiers", place(0)};
    probe->group.add(text, slash);
    text += slash + 1;
    bytes -= slash + 1;
    at += slash + 1;
    if (!bytes)
      return {}; // the event's name is made later, or the removal is of the whole group
  }
  if (!bytes)
    return {"Event name is not specified", place(0)};
  if (bytes > kNameBytes)
    return {"Event name is too long", place(0)};
  if (!is_name(text, bytes))
    return {"Event name must follow the same rules as C identifiers", place(0)};
  probe->event.add(text, bytes);
  return {};
}

// Parses FUNCTION[+0][%return]; C++ names are linked ones.
ParseError parse_function(const char *text, uint64_t bytes, uint64_t at, ProbeText *probe) {
  uint64_t length = 0;
  while (length < bytes && text[length] != '+' && text[length] != '%')
    length++;
  if (!length || length >= 255)
    return {"Invalid probed address or symbol", (uint32_t)at};
  probe->function.add(text, length);
  Scanner rest(text + length, bytes - length);
  uint64_t offset = 0;
  if (rest.skip('+') && (!rest.number(&offset) || offset))
    return {offset && probe->kind != 'r' ? "Probe point is not an instruction boundary"
                                         : "Retprobe address must be an function entry",
            (uint32_t)(at + length)};
  if (rest.skip("%return") && rest.is_end()) {
    if (probe->kind == 'r')
      return {"Invalid probed address suffix", (uint32_t)(at + length)};
    probe->is_return = true;
    return {};
  }
  if (!rest.is_end())
    return {"Invalid probed address suffix", (uint32_t)(at + length + rest.at())};
  return {};
}

// Gives the event the kernel's name for one without a name.
void name_event(ProbeText *probe) {
  if (!probe->group.size())
    probe->group.add(probe->kind == 'f' ? "fprobes" : "kprobes");
  if (probe->event.size())
    return;
  Text<300> name;
  if (probe->kind == 'f')
    name.add(probe->function.c_str()).add(probe->is_return ? "__exit" : "__entry");
  else
    name.add(probe->is_return ? "r_" : "p_").add(probe->function.c_str()).add("_0");
  for (const char *c = name.c_str(); *c; c++)
    probe->event.add(is_name_part(*c) ? c : "_", 1);
}

} // namespace

ParseError parse_probe(const char *line, uint64_t bytes, ProbeText *probe) {
  Scanner in(line, bytes);
  in.skip_blanks();
  uint64_t begin = in.at();
  probe->kind = in.next();
  if (probe->kind != 'f' && probe->kind != 'p' && probe->kind != 'r' && probe->kind != '-')
    return {"Invalid probed address or symbol", (uint32_t)begin};
  probe->is_return = probe->kind == 'r';
  uint64_t most;
  if (is_digit(in.peek())) {
    uint64_t at = in.at();
    if (probe->kind == 'p')
      return {"Maxactive is only for function exit", (uint32_t)at};
    if (!in.number(&most) ||
        most > 4096) // MAXACTIVE is accepted and has no effect: each call has its own place
      return {"Maxactive is too big", (uint32_t)at};
  }
  if (in.skip(':')) {
    uint64_t at = in.at(), length = word_length(in);
    if (ParseError error = parse_names(in.here(), length, at, probe))
      return error;
    in.go_to(at + length);
  } else if (!in.is_end() && !is_blank(in.peek())) {
    return {"Invalid maxactive number", (uint32_t)in.at()};
  }
  if (probe->kind == '-')
    return probe->event.size() || probe->group.size()
               ? ParseError{}
               : ParseError{"Event name is not specified", (uint32_t)in.at()};
  in.skip_blanks();
  uint64_t at = in.at(), length = word_length(in);
  probe->function_at = (uint32_t)at;
  if (ParseError error = parse_function(in.here(), length, at, probe))
    return error;
  name_event(probe);
  return {};
}

static ParseError add_argument(const char *text, uint64_t bytes, const FetchScope &scope,
                               ProbeText *probe) {
  if (probe->arguments.size() == kMaxArguments)
    return {"Too many arguments are specified"};
  if (!probe->arguments.push({}))
    return {"no memory for an event"};
  uint32_t index = (uint32_t)probe->arguments.size() - 1;
  FetchArgument &argument = probe->arguments[index];
  if (ParseError error = parse_argument(text, bytes, index, scope, &argument))
    return error;
  for (uint32_t i = 0; i < index; i++)
    if (probe->arguments[i].name.size() == argument.name.size() &&
        equal_bytes(probe->arguments[i].name.c_str(), argument.name.c_str(), argument.name.size()))
      return {"This argument name is already used"};
  argument.offset = (uint16_t)probe->record_bytes;
  probe->record_bytes += argument.stored_bytes();
  if (argument.is_at_entry)
    argument.entry_index = (uint8_t)probe->entry_values++;
  return {};
}

// Adds all parameters of the function, each by its name or its number.
static ParseError add_all(const FetchScope &scope, ProbeText *probe) {
  if (!scope.prototype)
    return {"No BTF entry for this probe point"};
  for (uint32_t i = 0; i < scope.prototype->parameters; i++) {
    Text<kMaxArgumentText> text;
    if (const char *name = parameter_name(scope, i); name && is_name(name, text_length(name)))
      text.add(name);
    else
      text.add("$arg").number(i + 1);
    if (ParseError error = add_argument(text.c_str(), text.size(), scope, probe))
      return error;
  }
  return {};
}

ParseError parse_arguments(const char *line, uint64_t bytes, const FetchScope &scope,
                           ProbeText *probe) {
  probe->record_bytes = probe->is_return ? sizeof(KernelReturnProbe) : sizeof(KernelProbe);
  Scanner in(line, bytes);
  for (int word = 0;; word++) {
    in.skip_blanks();
    if (in.is_end())
      return {};
    uint64_t at = in.at(), length = word_length(in);
    in.go_to(at + length);
    if (word < 2)
      continue; // the kind, and the function
    bool is_all = length == 5 && equal_bytes(line + at, "$arg*", 5);
    ParseError error =
        is_all ? add_all(scope, probe) : add_argument(line + at, length, scope, probe);
    if (error) {
      error.at += (uint32_t)at;
      return error;
    }
  }
}

} // namespace nophook
