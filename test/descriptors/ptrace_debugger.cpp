// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of this machine: ptrace, a breakpoint instruction at each place, and the registers as
// the kernel has them.

#include "debugger.h"

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

class PtraceDebugger : public Debugger {
public:
  PtraceDebugger(const char *truth, const char *path) {
    site_bytes = NOPHOOK_SITE_BYTES;
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
  ~PtraceDebugger() override { close(memory_); }

  bool go_on(uint64_t address) override {
    regs_.rip = address;
    ptrace(PTRACE_SETREGS, pid_, nullptr, &regs_);
    ptrace(PTRACE_CONT, pid_, nullptr, nullptr);
    return wait();
  }

  // The breakpoint has been executed, unless this is the start.
  uint64_t stopped_at() override {
    return replaced_.contains(regs_.rip - 1) ? regs_.rip - 1 : regs_.rip;
  }

  CallRegisters registers() override {
    const user_regs_struct &r = regs_;
    CallRegisters result;
    const unsigned long long general[] = {r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp,
                                          r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
    std::copy(std::begin(general), std::end(general), result.general.begin());
    result.stack_arguments = r.rsp + 8;
    read_vectors(&result);
    return result;
  }

  bool read(uint64_t address, void *to, size_t bytes) override {
    return pread(memory_, to, bytes, (off_t)address) == (ssize_t)bytes;
  }

  void set_breakpoint(uint64_t address) override {
    if (!replaced_.contains(address))
      replaced_[address] = swap_byte(address, 0xcc);
  }
  void remove_breakpoint(uint64_t address) override {
    swap_byte(address, replaced_[address]);
    replaced_.erase(address);
  }

  Return return_of_call() override {
    uint64_t back = 0;
    read(regs_.rsp, &back, sizeof back);
    return {back, regs_.rsp + 8};
  }
  uint64_t stack_pointer() override { return regs_.rsp; }

private:
  bool wait() {
    int status;
    if (waitpid(pid_, &status, 0) != pid_)
      fail("waitpid");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return false;
    if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
      fail(fmt::format("the program died: status {:#x}", status));
    if (ptrace(PTRACE_GETREGS, pid_, nullptr, &regs_) != 0)
      fail("PTRACE_GETREGS");
    return true;
  }

  uint8_t swap_byte(uint64_t address, uint8_t value) {
    uint8_t old;
    if (!read(address, &old, 1) || pwrite(memory_, &value, 1, (off_t)address) != 1)
      fail(fmt::format("no memory at {:#x}", address));
    return old;
  }

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
  user_regs_struct regs_ = {};
  std::map<uint64_t, uint8_t> replaced_; // bytes below breakpoints
};

} // namespace

std::unique_ptr<Debugger> debug_by_ptrace(const char *truth, const char *path) {
  return std::make_unique<PtraceDebugger>(truth, path);
}

} // namespace nophook
