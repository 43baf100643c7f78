// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parses a fetch argument by recursive descent, over a text of at most 63 bytes. Each level takes
// an opening brace and becomes a step; there are at most 16 steps.

#include "arch/callback_path.h"
#include "events/argument_place.h"
#include "events/fetch.h"
#include "events/scanner.h"

namespace nophook {
namespace {

constexpr uint64_t kMaxStackEntries = 2048; // the kernel's limit

class ArgumentParser {
public:
  ArgumentParser(const char *text, uint64_t bytes, uint64_t from, const FetchScope &scope,
                 FetchArgument *argument)
      : in_(text, bytes), scope_(scope), argument_(*argument) {
    in_.go_to(from);
  }

  ParseError parse() {
    fetch();
    if (!error_ && !in_.is_end() && in_.peek() != ':')
      fail("Invalid fetch argument");
    if (!error_)
      type();
    return error_;
  }

private:
  void fail(const char *reason, uint64_t at) {
    if (!error_)
      error_ = {reason, (uint32_t)at};
  }
  void fail(const char *reason) { fail(reason, in_.at()); }

  void step(FetchStep::What what, int64_t value) {
    if (argument_.step_count == kMaxFetchSteps)
      return fail("Dereference is too much nested");
    argument_.steps[argument_.step_count++] = {what, value};
  }

  void fetch() {
    uint64_t begin = in_.at();
    switch (in_.peek()) {
    case '$':
      return variable();
    case '%':
      return general_register();
    case '@':
      return memory();
    case '\\':
      return immediate();
    case '+':
    case '-':
      return follow();
    default:
      if (is_name_start(in_.peek()))
        return named();
      fail(in_.is_end() ? "No argument expression" : "Invalid fetch argument", begin);
    }
  }

  void variable() {
    uint64_t begin = in_.at();
    in_.next();
    uint64_t number;
    if (in_.skip("retval")) {
      if (!scope_.is_return)
        return fail("$retval is not available on probe", begin);
      if (is_member())
        return no_member();
      place(result_place(scope_), begin);
    } else if (in_.skip("stack")) {
      if (!is_digit(in_.peek()))
        return step(FetchStep::kStackPointer, 0);
      if (!in_.number(&number) || number >= kMaxStackEntries)
        return fail("Invalid stack number", begin + 6);
      step(FetchStep::kStackPointer, 0);
      step(FetchStep::kFollow, (int64_t)number * 8);
    } else if (in_.skip("comm") || in_.skip("COMM")) {
      step(FetchStep::kComm, 0);
    } else if (in_.skip("arg")) {
      if (!in_.number(&number) || !number || number > kMaxArguments)
        return fail("Invalid argument number", begin + 4);
      if (is_member())
        return fail("Invalid $-valiable specified", begin);
      place(argument_place(scope_, (uint32_t)number - 1), begin);
    } else {
      fail("Invalid $-valiable specified", begin); // as the kernel spells it
    }
  }

  void general_register() {
    uint64_t begin = in_.at();
    in_.next();
    uint64_t length = in_.length_of(is_name_part);
    for (const Arch::Regs::Name &known : Arch::Regs::kNames)
      if (is_text(in_.here(), length, known.text)) {
        in_.go_to(in_.at() + length);
        return step(FetchStep::kRegister, known.offset);
      }
    fail("Invalid register name or number", begin + 1);
  }

  // @ADDRESS, @SYMBOL[+|-OFFSET]
  void memory() {
    in_.next();
    uint64_t begin = in_.at(), address;
    if (!is_digit(in_.peek())) {
      auto is_symbol_part = [](char c) { return is_name_part(c) || c == '.' || c == '$'; };
      Text<kMaxArgumentText + 1> name;
      uint64_t length = in_.length_of(is_symbol_part);
      name.add(in_.here(), length);
      in_.go_to(begin + length);
      if (!length || !scope_.find_symbol || !scope_.find_symbol(name.c_str(), &address))
        return fail("Invalid memory address", begin);
      if (in_.peek() == '+' || in_.peek() == '-') {
        int64_t offset;
        if (!signed_number(&offset))
          return fail("Invalid memory address", in_.at());
        address += (uint64_t)offset;
      }
    } else if (!in_.number(&address)) {
      return fail("Invalid memory address", begin);
    }
    step(FetchStep::kImmediate, (int64_t)address);
    step(FetchStep::kFollow, 0);
    is_memory_ = true;
  }

  bool signed_number(int64_t *value) {
    bool is_negative = in_.peek() == '-';
    if (is_negative || in_.peek() == '+')
      in_.next();
    uint64_t number;
    if (!in_.number(&number))
      return false;
    *value = is_negative ? (int64_t)(0 - number) : (int64_t)number;
    return true;
  }

  void immediate() {
    uint64_t begin = in_.at();
    in_.next();
    if (in_.peek() == '"') {
      in_.next();
      step(FetchStep::kText, (int64_t)(in_.at() - text_begin_));
      in_.go_to(in_.at() + in_.length_of([](char c) { return c != '"'; }));
      if (!in_.skip('"'))
        fail("String is not closed with '\"'", begin + 1);
      return;
    }
    int64_t value;
    if (!signed_number(&value))
      return fail("Invalid immediate value", begin + 1);
    step(FetchStep::kImmediate, value);
  }

  // +|-[u]OFFSET(FETCH)
  void follow() {
    uint64_t begin = in_.at();
    bool is_negative = in_.next() == '-';
    in_.skip('u'); // all memory is the program's own, so `u` has no effect
    uint64_t number;
    if (!in_.number(&number))
      return fail("Invalid dereference offset", in_.at());
    if (!in_.skip('('))
      return fail("Dereference needs a brace", in_.at());
    fetch();
    if (error_)
      return;
    if (is_alone())
      return fail("$comm can not be dereferenced", begin);
    if (!in_.skip(')'))
      return fail("Dereference brace is not closed", in_.at());
    step(FetchStep::kFollow, is_negative ? (int64_t)(0 - number) : (int64_t)number);
    is_memory_ = true;
    guessed_ = nullptr;
  }

  bool is_alone() const {
    return argument_.step_count && (argument_.steps[0].what == FetchStep::kComm ||
                                    argument_.steps[0].what == FetchStep::kText);
  }

  void place(const ArgumentPlace &found, uint64_t at) {
    if (found.error)
      return fail(found.error, at);
    for (uint32_t i = 0; i < found.step_count; i++)
      step(found.steps[i].what, found.steps[i].value);
    argument_.is_at_entry = scope_.is_return && found.is_at_entry;
    is_memory_ = is_memory_ || found.is_object;
  }
  // Members are refused: descriptors do not describe the structures that pointers lead to. The
  // message is the kernel's for a value that is no structure.
  bool is_member() const { return in_.peek() == '.' || (in_.peek() == '-' && in_.peek(1) == '>'); }
  void no_member() {
    bool is_pointer = in_.next() == '-';
    if (is_pointer)
      in_.next();
    fail(is_pointer ? "This is not a pointer to union/structure."
                    : "Non pointer structure/union argument is not supported.");
  }

  // A parameter.
  void named() {
    uint64_t begin = in_.at(), length = in_.length_of(is_name_part);
    if (!scope_.prototype)
      return fail("No BTF entry for this probe point", begin);
    ArgumentPlace found = named_place(scope_, in_.here(), length);
    in_.go_to(begin + length);
    if (!found.error && is_member())
      return no_member();
    place(found, begin);
    guessed_ = found.type;
  }

  // [:TYPE[COUNT]], or :bBITS@LOW/CONTAINER
  void type() {
    argument_.type = is_alone() ? find_type("string", 6)
                     : guessed_ ? guessed_
                                : find_type("x64", 3);
    if (!in_.skip(':'))
      return;
    uint64_t begin = in_.at();
    if (in_.peek() == 'b' && is_digit(in_.peek(1)))
      return bit_field();
    uint64_t length = in_.length_of(is_name_part);
    argument_.type = find_type(in_.here(), length);
    in_.go_to(begin + length);
    if (!argument_.type)
      return fail("Unknown type is specified", begin);
    if (is_alone() && !argument_.type->is_text)
      return fail("$comm and immediate-string only accepts string type", begin);
    if (in_.peek() == '[')
      array();
    else if (argument_.type->is_text && !is_memory_ && !is_alone())
      return fail("String accepts only memory argument", begin);
    if (!error_ && !in_.is_end())
      fail(argument_.count ? "Array has wrong suffix" : "Unknown type is specified");
  }

  void array() {
    uint64_t begin = in_.at(), count;
    in_.next();
    if (!in_.number(&count))
      return fail("Invalid array size", begin + 1);
    if (!in_.skip(']'))
      return fail("Array is not closed", begin);
    if (!count)
      return fail("Invalid array size", begin + 1);
    if (count > kMaxArrayElements)
      return fail("Array number is too big", begin + 1);
    if (!is_memory_)
      return fail("String accepts only memory argument", begin);
    argument_.count = (uint16_t)count;
  }

  void bit_field() {
    uint64_t begin = in_.at(), bits, low, container;
    in_.next();
    if (!in_.number(&bits) || !in_.skip('@') || !in_.number(&low) || !in_.skip('/') ||
        !in_.number(&container) || !in_.is_end())
      return fail("Invalid bitfield", begin);
    Text<8> name;
    name.add("u").number(container < 1000 ? container : 999);
    argument_.type = find_type(name.c_str(), name.size());
    if (!argument_.type || !bits || bits > 63 || low >= container || low + bits > container)
      return fail("Invalid bitfield", begin);
    argument_.bits = (uint8_t)bits;
    argument_.low = (uint8_t)low;
  }

  Scanner in_;
  const FetchScope &scope_;
  FetchArgument &argument_;
  ParseError error_;
  // Type of a named value as declared; only names have one, as in the kernel.
  const ValueType *guessed_ = nullptr;
  bool is_memory_ = false; // the value is in memory: the definition gives its address

public:
  uint64_t text_begin_ = 0; // start of the text that becomes argument_.text
};

} // namespace

ParseError parse_argument(const char *text, uint64_t bytes, uint32_t index, const FetchScope &scope,
                          FetchArgument *argument) {
  Scanner in(text, bytes);
  uint64_t name_bytes = in.length_of([](char c) { return c != '='; });
  // A name is in front of the first '=', unless that is in a text.
  bool has_name = name_bytes < bytes && text[0] != '\\' && text[0] != '$' && text[0] != '+';
  uint64_t from = has_name ? name_bytes + 1 : 0;
  if (bytes - from > kMaxArgumentText)
    return {"Argument expression is too long", (uint32_t)from};
  argument->text.add(text + from, bytes - from);
  if (has_name) {
    if (!name_bytes)
      return {"Argument name is not specified", 0};
    if (name_bytes > kMaxArgumentName)
      return {"Argument name is too long", 0};
    argument->name.add(text, name_bytes);
  } else {
    uint64_t length = in.length_of(is_name_part);
    if (length && length <= kMaxArgumentName && is_name_start(text[0]) &&
        (length == bytes || text[length] == ':'))
      argument->name.add(text, length); // the parameter's name in the program
    else
      argument->name.add("arg").number(index + 1);
  }
  bool is_name = is_name_start(argument->name.c_str()[0]);
  for (const char *c = argument->name.c_str(); *c; c++)
    is_name = is_name && is_name_part(*c);
  if (!is_name)
    return {"Argument name must follow the same rules as C identifiers", 0};
  ArgumentParser parser(text, bytes, from, scope, argument);
  parser.text_begin_ = from;
  return parser.parse();
}

} // namespace nophook
