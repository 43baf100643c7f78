// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The frame is the kernel's struct rt_sigframe (arch/x86/include/asm/sigframe.h), from `uc` on. Its
// vectors are in the form of XSAVE, with the words by which the kernel recognizes its own size
// (struct _fpx_sw_bytes in asm/sigcontext.h). The frame has no alternate stack, which leaves the
// thread's as it is: the kernel ignores the error that a stack of no size gets.

#include "process/attach/thread_state.h"

#include <algorithm>
#include <cerrno>
#include <cpuid.h>
#include <cstring>
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#ifndef PTRACE_GETSIGMASK
#define PTRACE_GETSIGMASK 0x420a
#define PTRACE_SETSIGMASK 0x420b
#endif

extern "C" const char nophook_call_code[], nophook_call_code_signalled[], nophook_call_code_end[];

namespace nophook {
namespace {

// Error codes of the kernel that no program sees. Source: include/linux/errno.h.
constexpr int64_t kRestartSystem = 512, kRestartNoInterrupt = 513, kRestartNoHandler = 514,
                  kRestartBlock = 516;
constexpr uint64_t kCallBytes = 2; // length of the instruction
constexpr size_t kMostVectorBytes = 32768;

// A part of the frame. Source: arch/x86/include/uapi/asm/{sigcontext,ucontext}.h.
struct Context {
  uint64_t flags, link, stack[3];
  uint64_t r8, r9, r10, r11, r12, r13, r14, r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip,
      eflags;
  uint16_t cs, gs, fs, ss;
  uint64_t error, trap, old_mask, cr2, vectors, reserved[8];
  uint64_t signals;
};
static_assert(sizeof(Context) == 304);
constexpr uint64_t kHasVectors = 1, kHasSegment = 2, kStrictSegment = 4; // flags

constexpr size_t kLegacyBytes = 512, kHeaderBytes = 64, kSoftwareWords = 464;
constexpr uint32_t kMagic1 = 0x46505853, kMagic2 = 0x46505845;
struct SoftwareWords {
  uint32_t magic, extended_bytes;
  uint64_t features;
  uint32_t bytes, padding[7];
};
static_assert(sizeof(SoftwareWords) == 48);

// Size in bytes of the vectors up to the last feature that a process has without asking for it, or
// that this thread uses.
uint32_t vector_bytes(uint64_t *features, uint64_t used) {
  constexpr uint64_t kOnRequest = 1 << 18; // AMX's tiles
  *features &= ~kOnRequest | used;
  uint32_t end = kLegacyBytes + kHeaderBytes;
  for (unsigned i = 2; i < 63; i++) {
    uint32_t bytes, offset, c, d;
    if (*features >> i & 1 && __get_cpuid_count(0xd, i, &bytes, &offset, &c, &d))
      end = std::max(end, offset + bytes);
  }
  return end;
}

// The vectors in the form in which the kernel takes them back from its own frame.
std::vector<std::byte> framed(std::vector<std::byte> vectors) {
  if (vectors.size() < kLegacyBytes + kHeaderBytes) {
    vectors.resize(kLegacyBytes); // a CPU without XSAVE
    return vectors;
  }
  uint64_t features, used;
  std::memcpy(&features, &vectors[kSoftwareWords], sizeof features);
  std::memcpy(&used, &vectors[kLegacyBytes], sizeof used);
  SoftwareWords words = {};
  words.bytes = vector_bytes(&features, used);
  words.magic = kMagic1;
  words.features = features;
  words.extended_bytes = words.bytes + (uint32_t)sizeof kMagic2;
  vectors.resize(words.bytes);
  std::memcpy(&vectors[kSoftwareWords], &words, sizeof words);
  vectors.resize(words.extended_bytes);
  std::memcpy(&vectors[words.bytes], &kMagic2, sizeof kMagic2);
  return vectors;
}

bool is_restarted(int64_t result) {
  return result == -kRestartSystem || result == -kRestartNoInterrupt ||
         result == -kRestartNoHandler || result == -kRestartBlock;
}

template <class Bytes> uint64_t find(std::span<const uint8_t> text, const Bytes &bytes) {
  const auto found = std::ranges::search(text, bytes);
  return found.empty() ? 0 : (uint64_t)(found.begin() - text.begin()) + 1;
}

// rbx points to the block. The frame's address becomes the stack pointer.
__asm__(".pushsection .rodata\n"
        "nophook_call_code:\n"
        "  mov 56(%rbx), %rax\n" // errno_location
        "  mov %rax, %r12\n"
        "  test %rax, %rax\n"
        "  jz 5f\n"
        "  call *%rax\n"
        "  mov %rax, %r12\n"
        "  mov (%rax), %r13d\n"
        "5:\n"
        "  mov 80(%rbx), %rax\n" // wake
        "  test %rax, %rax\n"
        "  jnz 1f\n"
        "  mov 8(%rbx), %rdi\n"
        "  mov 16(%rbx), %rsi\n"
        "  call *(%rbx)\n" // dlopen(path, flags)
        "  mov %rax, 72(%rbx)\n"
        "  mov 112(%rbx), %rdi\n" // descriptor
        "  test %rdi, %rdi\n"
        "  js 6f\n"
        "  mov $3, %eax\n" // close
        "  syscall\n"
        "6:\n"
        "  mov 72(%rbx), %rdi\n"
        "  test %rdi, %rdi\n"
        "  jz 2f\n"
        "  mov 32(%rbx), %rsi\n"
        "  call *24(%rbx)\n" // dlsym(handle, name)
        "  mov %rax, 80(%rbx)\n"
        "  test %rax, %rax\n"
        "  jz 2f\n"
        "1:\n"
        "  mov 48(%rbx), %rdi\n"
        "  call *%rax\n" // wake(settings)
        "  cltq\n"
        "  mov %rax, 96(%rbx)\n"
        "  movq $1, 104(%rbx)\n"
        "  jmp 3f\n"
        "2:\n"
        "  call *40(%rbx)\n" // dlerror()
        "  mov %rax, 88(%rbx)\n"
        "3:\n"
        "  test %r12, %r12\n"
        "  jz 7f\n"
        "  mov %r13d, (%r12)\n"
        "7:\n"
        "  cmpq $0, 120(%rbx)\n" // signal
        "  je 4f\n"
        "  mov $39, %eax\n" // getpid
        "  syscall\n"
        "  mov %rax, %rdi\n"
        "  mov $186, %eax\n" // gettid
        "  syscall\n"
        "  mov %rax, %rsi\n"
        "  mov 120(%rbx), %rdx\n"
        "  mov $234, %eax\n" // tgkill
        "  syscall\n"
        "nophook_call_code_signalled:\n"
        "4:\n"
        "  mov 64(%rbx), %rsp\n"
        "  mov $15, %eax\n" // rt_sigreturn
        "  syscall\n"
        "nophook_call_code_end:\n"
        ".popsection\n");
static_assert(offsetof(CallBlock, path) == 8 && offsetof(CallBlock, flags) == 16 &&
              offsetof(CallBlock, dlsym) == 24 && offsetof(CallBlock, name) == 32 &&
              offsetof(CallBlock, dlerror) == 40 && offsetof(CallBlock, settings) == 48 &&
              offsetof(CallBlock, errno_location) == 56 && offsetof(CallBlock, frame) == 64 &&
              offsetof(CallBlock, handle) == 72 && offsetof(CallBlock, wake) == 80 &&
              offsetof(CallBlock, error) == 88 && offsetof(CallBlock, result) == 96 &&
              offsetof(CallBlock, is_done) == 104 && offsetof(CallBlock, descriptor) == 112 &&
              offsetof(CallBlock, signal) == 120 && SYS_rt_sigreturn == 15);

} // namespace

int read_general(int32_t tid, user_regs_struct *registers) {
  iovec to = {registers, sizeof *registers};
  if (::ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &to) != 0)
    return errno;
  return to.iov_len == sizeof *registers ? 0 : ENOEXEC;
}

int write_general(int32_t tid, const user_regs_struct &registers) {
  iovec from = {const_cast<user_regs_struct *>(&registers), sizeof registers};
  return ::ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &from) == 0 ? 0 : errno;
}

int block_signals(int32_t tid, uint64_t signals) {
  return ::ptrace((__ptrace_request)PTRACE_SETSIGMASK, tid, (void *)sizeof signals, &signals) == 0
             ? 0
             : errno;
}

int read_state(int32_t tid, ThreadState *state) {
  if (int error = read_general(tid, &state->registers))
    return error;
  state->vectors.resize(kMostVectorBytes);
  iovec to = {state->vectors.data(), state->vectors.size()};
  if (::ptrace(PTRACE_GETREGSET, tid, NT_X86_XSTATE, &to) != 0 &&
      ::ptrace(PTRACE_GETREGSET, tid, NT_PRFPREG, &to) != 0)
    return errno;
  state->vectors.resize(to.iov_len);
  if (::ptrace((__ptrace_request)PTRACE_GETSIGMASK, tid, (void *)sizeof state->signals,
               &state->signals) != 0)
    return errno;
  return 0;
}

int write_state(int32_t tid, const ThreadState &state) {
  iovec from = {const_cast<std::byte *>(state.vectors.data()), state.vectors.size()};
  const auto kind = state.vectors.size() > kLegacyBytes ? NT_X86_XSTATE : NT_PRFPREG;
  if (::ptrace(PTRACE_SETREGSET, tid, kind, &from) != 0)
    return errno;
  if (int error = block_signals(tid, state.signals))
    return error;
  return write_general(tid, state.registers);
}

long call_of(const user_regs_struct &registers) {
  return (long)registers.orig_rax;
}

uint64_t program_counter(const user_regs_struct &registers) {
  return registers.rip;
}

uint64_t stack_pointer(const user_regs_struct &registers) {
  return registers.rsp;
}

user_regs_struct issued_again(const user_regs_struct &registers, std::span<const uint8_t> code) {
  user_regs_struct again = registers;
  if (call_of(registers) >= 0 && is_restarted((int64_t)registers.rax)) {
    again.rip -= kCallBytes;
    again.rax = registers.orig_rax;
    constexpr size_t kMoveBytes = 5; // mov $number, %eax
    constexpr uint8_t kMove = 0xb8;
    if (call_of(registers) == SYS_restart_syscall && code.size() >= kMoveBytes + kCallBytes) {
      const auto move = code.last(kMoveBytes + kCallBytes);
      uint32_t number;
      std::memcpy(&number, &move[1], sizeof number);
      again.rax = move[0] == kMove ? number : again.rax;
    }
  }
  again.orig_rax = (uint64_t)-1;
  return again;
}

bool goes_on_by_restart(const user_regs_struct &registers) {
  return call_of(registers) >= 0 && (int64_t)registers.rax == -kRestartBlock;
}

std::vector<std::byte> return_frame(const ThreadState &state, uint64_t top, uint64_t *at) {
  const std::vector<std::byte> vectors = framed(state.vectors);
  const uint64_t vectors_at = (top - vectors.size()) & ~uint64_t{63};
  *at = (vectors_at - sizeof(Context)) & ~uint64_t{15};
  const user_regs_struct &r = state.registers;
  Context c = {};
  c.flags = kHasVectors | kHasSegment | kStrictSegment;
  c.r8 = r.r8, c.r9 = r.r9, c.r10 = r.r10, c.r11 = r.r11;
  c.r12 = r.r12, c.r13 = r.r13, c.r14 = r.r14, c.r15 = r.r15;
  c.rdi = r.rdi, c.rsi = r.rsi, c.rbp = r.rbp, c.rbx = r.rbx;
  c.rdx = r.rdx, c.rax = r.rax, c.rcx = r.rcx, c.rsp = r.rsp;
  c.rip = r.rip, c.eflags = r.eflags;
  c.cs = (uint16_t)r.cs, c.ss = (uint16_t)r.ss;
  c.vectors = vectors_at;
  c.signals = state.signals;
  std::vector<std::byte> bytes(vectors_at + vectors.size() - *at);
  std::memcpy(bytes.data(), &c, sizeof c);
  std::ranges::copy(vectors, bytes.begin() + (ptrdiff_t)(vectors_at - *at));
  return bytes;
}

void find_code(std::span<const uint8_t> text, uint64_t address, LibcCode *code) {
  constexpr uint8_t kCallAndReturn[] = {0x0f, 0x05, 0xc3};
  constexpr uint8_t kHandlerReturn[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
  if (uint64_t found = code->call_and_return ? 0 : find(text, kCallAndReturn))
    code->call_and_return = address + found - 1;
  if (uint64_t found = code->handler_return ? 0 : find(text, kHandlerReturn))
    code->handler_return = address + found - 1;
}

uint64_t word_behind_call(const LibcCode &code) {
  return code.handler_return;
}

user_regs_struct system_call(const user_regs_struct &from, const LibcCode &code, long number,
                             std::span<const uint64_t> arguments, uint64_t stack) {
  user_regs_struct to = from;
  unsigned long long *const places[] = {&to.rdi, &to.rsi, &to.rdx, &to.r10, &to.r8, &to.r9};
  for (size_t i = 0; i < std::min(arguments.size(), std::size(places)); i++)
    *places[i] = arguments[i];
  to.rax = (uint64_t)number;
  to.orig_rax = (uint64_t)-1;
  to.rip = code.call_and_return;
  to.rsp = stack;
  return to;
}

user_regs_struct instead_of_call(const user_regs_struct &from, const LibcCode &code, long number,
                                 std::span<const uint64_t> arguments, uint64_t stack) {
  user_regs_struct to = system_call(from, code, number, arguments, stack);
  to.orig_rax = (uint64_t)number;
  to.rip += kCallBytes;
  return to;
}

bool is_in_call(const user_regs_struct &registers, const LibcCode &code, uint64_t stack) {
  return registers.rip == code.call_and_return + kCallBytes && registers.rsp == stack;
}

int64_t result_of(const user_regs_struct &registers) {
  return (int64_t)registers.rax;
}

std::span<const std::byte> call_code() {
  return std::as_bytes(std::span(nophook_call_code, nophook_call_code_end));
}

user_regs_struct at_call_code(const user_regs_struct &from, uint64_t code, uint64_t block,
                              uint64_t stack) {
  user_regs_struct to = from;
  to.rip = code;
  to.rbx = block;
  to.rsp = stack & ~uint64_t{15};
  to.rbp = 0;
  to.orig_rax = (uint64_t)-1;
  constexpr uint64_t kDirection = 1 << 10;
  to.eflags &= ~kDirection;
  return to;
}

bool is_at_end(const user_regs_struct &registers, uint64_t code) {
  return registers.rip == code + call_code().size();
}

bool is_behind_signal(const user_regs_struct &registers, uint64_t code) {
  return registers.rip == code + (uint64_t)(nophook_call_code_signalled - nophook_call_code);
}

} // namespace nophook
