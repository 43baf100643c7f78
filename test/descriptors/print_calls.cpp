// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print_calls TRUTH PROGRAM: runs a program as a debugger does, and prints each call of its
// numbered functions (f12, m12) with arguments and return value as its descriptors tell.
//
// TRUTH is where the program's own output goes: it prints what it passes. Independent of the
// runtime: a breakpoint at each site, one at each return address, and the registers as the
// kernel has them. Files are not position-independent, so that addresses need no load base.

#include "print/value_text.h"
#include "symbols/site_table.h"
#include "symbols/symbol_table.h"

#include <nophook/site.h>

#include <cpuid.h>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nophook {
namespace {

[[noreturn]] void fail(const std::string &problem) {
  fmt::print(stderr, "print_calls: {}\n", problem);
  exit(1);
}

class Process {
public:
  Process(const char *truth, const char *path) {
    pid_ = fork();
    if (pid_ == 0) {
      int out = open(truth, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
      dup2(out, 1);
      if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) == 0)
        execl(path, path, (char *)nullptr);
      _exit(127);
    }
    if (!wait())
      fail("cannot start the program");
    memory_ = open(fmt::format("/proc/{}/mem", pid_).c_str(), O_RDWR | O_CLOEXEC);
  }
  ~Process() { close(memory_); }

  // False when the program has ended; that it did so properly is checked.
  bool wait() {
    int status;
    if (waitpid(pid_, &status, 0) != pid_)
      fail("waitpid");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return false;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
      fail(fmt::format("the program died: status {:#x}", status));
    return true;
  }
  void go_on() { ptrace(PTRACE_CONT, pid_, nullptr, nullptr); }

  bool read(uint64_t address, void *to, size_t bytes) const {
    return pread(memory_, to, bytes, (off_t)address) == (ssize_t)bytes;
  }
  uint8_t swap_byte(uint64_t address, uint8_t value) {
    uint8_t old;
    if (!read(address, &old, 1) || pwrite(memory_, &value, 1, (off_t)address) != 1)
      fail(fmt::format("no memory at {:#x}", address));
    return old;
  }

  user_regs_struct registers() const {
    user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, pid_, nullptr, &regs) != 0)
      fail("PTRACE_GETREGS");
    return regs;
  }
  void set_registers(user_regs_struct regs) { ptrace(PTRACE_SETREGS, pid_, nullptr, &regs); }

  CallRegisters call_registers(const user_regs_struct &r) const {
    CallRegisters result;
    const unsigned long long general[] = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp,
                                          r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
    std::copy(std::begin(general), std::end(general), result.general.begin());
    result.stack_arguments = r.rsp + 8;
    read_vectors(&result);
    return result;
  }

private:
  // XSAVE's standard format; a component whose bit is clear is all zeros.
  void read_vectors(CallRegisters *result) const {
    std::vector<uint8_t> area(16384);
    iovec io = {area.data(), area.size()};
    if (ptrace(PTRACE_GETREGSET, pid_, NT_X86_XSTATE, &io) != 0)
      fail("PTRACE_GETREGSET");
    uint64_t present;
    std::memcpy(&present, &area[512], 8);
    auto offset = [](unsigned component) {
      unsigned a, b = 0, c, d;
      __cpuid_count(0xd, component, a, b, c, d);
      return (size_t)b;
    };
    for (size_t i = 0; i < 8; i++)
      if (present & 1)
        std::memcpy(result->x87[i].data(), &area[32 + 16 * i], 10);
    for (size_t i = 0; i < 16; i++) {
      uint8_t *to = result->sse[i].data();
      if (present & 2)
        std::memcpy(to, &area[160 + 16 * i], 16);
      if (present & 4)
        std::memcpy(to + 16, &area[offset(2) + 16 * i], 16);
      if (present & 1 << 6)
        std::memcpy(to + 32, &area[offset(6) + 32 * i], 32);
      if (present & 1 << 7)
        std::memcpy(result->sse[16 + i].data(), &area[offset(7) + 64 * i], 64);
    }
  }

  pid_t pid_;
  int memory_ = -1;
};

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
  uint64_t stack; // rsp when it returns
  uint8_t old;
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

  Process process(truth, path);
  // A page at a time: a text ends before the memory does.
  ReadMemory memory = [&](uint64_t address, void *to, size_t bytes) {
    size_t part = std::min<size_t>(bytes, 4096 - address % 4096);
    if (!process.read(address, to, part))
      return size_t{0};
    return process.read(address + part, (char *)to + part, bytes - part) ? bytes : part;
  };
  for (const auto &[address, function] : functions)
    process.swap_byte(address, 0xcc);
  std::map<uint64_t, Call> returns; // by return address
  for (process.go_on(); process.wait(); process.go_on()) {
    user_regs_struct regs = process.registers();
    uint64_t at = regs.rip - 1;
    CallRegisters found = process.call_registers(regs);
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
      uint64_t back;
      process.read(regs.rsp, &back, sizeof back);
      returns[back] = {&function, text, regs.rsp + 8, process.swap_byte(back, 0xcc)};
      regs.rip = at + NOPHOOK_SITE_BYTES; // the site was a NOP
    } else if (auto call = returns.find(at); call != returns.end()) {
      if (call->second.stack != regs.rsp)
        fail("a return to another frame");
      fmt::print("{}) = {}\n", call->second.text,
                 value_text(call->second.function->prototype->result, found, memory));
      process.swap_byte(at, call->second.old);
      returns.erase(call);
      regs.rip = at;
    } else {
      fail(fmt::format("a breakpoint of somebody else at {:#x}", at));
    }
    process.set_registers(regs);
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
