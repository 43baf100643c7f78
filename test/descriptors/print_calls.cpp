// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print_calls TRUTH PROGRAM: runs a program as a debugger does, and prints each call of its
// numbered functions (f12, m12) with arguments and return value as its descriptors tell.
//
// TRUTH is where the program's own output goes: it prints what it passes. Independent of the
// runtime: a breakpoint at each site, one at each return address, and the registers as the
// kernel, or qemu, has them. Files are not position-independent, so that addresses need no load
// base.

#include "debugger.h"
#include "read/steps/value_text.h"
#include "read/symbols/site_table.h"
#include "read/symbols/symbol_table.h"

#include <elf.h>
#include <fmt/format.h>
#include <map>

namespace nophook {

void fail(const std::string &problem) {
  fmt::print(stderr, "print_calls: {}\n", problem);
  exit(1);
}

namespace {

struct Function {
  std::string name;
  const Prototype *prototype;
};

// f12 and Class::m12, nothing else. regcall has a mangling of its own, std::string a tag.
std::optional<std::string> numbered(const std::string &name) {
  std::string last = name.substr(0, name.find("[abi:"));
  last = last.substr(last.rfind(':') + 1);
  if (last.starts_with("__regcall3__"))
    last = last.substr(12);
  bool is_one = last.size() > 1 && (last[0] == 'f' || last[0] == 'm') &&
                last.find_first_not_of("0123456789", 1) == std::string::npos;
  return is_one ? std::optional(last) : std::nullopt;
}

struct Call {
  const Function *function;
  std::string text;
  uint64_t stack; // the stack pointer when it returns
};

int run(const char *truth, const char *path) {
  auto image = ElfImage::open(path);
  if (!image)
    fail(image.error().text());
  DescriptorTables tables = find_descriptors(*image);
  Prototypes prototypes(tables);
  if (!prototypes.damage().empty())
    fail(prototypes.damage());
  SymbolTable symbols = SymbolTable::of(*image);
  std::map<uint64_t, Function> functions;
  for (const Site &site : read_sites(*image, tables).sites)
    if (const Symbol *symbol = symbols.at_site(site.address))
      if (auto name = numbered(short_name(symbol->name)))
        functions[site.address] = {*name, prototypes.find(site.prototype)};

  const bool is_aarch64 = image->elf().getHeader().e_machine == EM_AARCH64;
  auto program = is_aarch64 ? debug_by_qemu(truth, path) : debug_by_ptrace(truth, path);
  // A page at a time: a text ends before the memory does.
  ReadMemory memory = [&](uint64_t address, void *to, size_t bytes) {
    size_t part = std::min<size_t>(bytes, 4096 - address % 4096);
    if (!program->read(address, to, part))
      return size_t{0};
    return program->read(address + part, (char *)to + part, bytes - part) ? bytes : part;
  };
  for (const auto &[address, function] : functions)
    program->set_breakpoint(address);
  std::map<uint64_t, Call> returns; // by return address
  for (uint64_t at = program->stopped_at(); program->go_on(at);) {
    at = program->stopped_at();
    CallRegisters found = program->registers();
    if (auto entry = functions.find(at); entry != functions.end()) {
      const Function &function = entry->second;
      std::string text = function.name + "(";
      if (!function.prototype)
        fail(function.name + " has no prototype");
      for (const PlacedValue &value : function.prototype->parameters) {
        text += text.ends_with("(") ? "" : ", ";
        text += value.name.empty() ? "" : std::string(value.name) + "=";
        text += value_text(value, found, memory);
      }
      const Debugger::Return back = program->return_of_call();
      returns[back.address] = {&function, text, back.stack};
      program->set_breakpoint(back.address);
      at += program->site_bytes; // the site was a NOP
    } else if (auto call = returns.find(at); call != returns.end()) {
      if (call->second.stack != program->stack_pointer())
        fail("a return to another frame");
      fmt::print("{}) = {}\n", call->second.text,
                 value_text(call->second.function->prototype->result, found, memory));
      program->remove_breakpoint(at);
      returns.erase(call);
    } else {
      fail(fmt::format("a breakpoint of somebody else at {:#x}", at));
    }
  }
  return 0;
}

} // namespace
} // namespace nophook

int main(int argc, char **argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: print_calls TRUTH PROGRAM\n");
    return 2;
  }
  return nophook::run(argv[1], argv[2]);
}
