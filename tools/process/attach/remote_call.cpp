// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the thread map a region and run our code in it. Each step leaves the way back on the stack.

#include "process/attach/remote_call.h"

#include "foundation/file.h"
#include "process/attach/stack_room.h"
#include "process/stop/stopped_thread.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nophook {
namespace {

constexpr uint64_t kRedZoneBytes = 128;
constexpr uint64_t kPage = 4096;
// Bytes of the code's page and the stack behind it. The loader takes 10 KiB of the stack; a
// library's constructors may take any amount.
constexpr uint64_t kRegionBytes = 256 << 10;
constexpr size_t kMostErrorBytes = 512;
constexpr char kEntry[] = "nophook_wake";

// All signals but the ones that an instruction raises, and the one by which the C library changes
// user ids in all threads, whose sender waits.
constexpr uint64_t bit(int signal) {
  return uint64_t{1} << (signal - 1);
}
constexpr uint64_t kBlocked = ~(bit(SIGILL) | bit(SIGTRAP) | bit(SIGBUS) | bit(SIGFPE) |
                                bit(SIGSEGV) | bit(SIGSYS) | bit(33));

// A signal that the thread would ignore: not blocked, without a handler, and without effect by
// default. So if the command dies, it does no harm. 0: there is none.
int signal_of_no_effect(const std::string &folder, uint64_t blocked) {
  const std::string status = read_small_file(folder + "status");
  constexpr std::string_view kCaught = "\nSigCgt:\t";
  const size_t at = status.find(kCaught);
  uint64_t caught = 0;
  if (at == std::string::npos ||
      std::from_chars(&status[at + kCaught.size()], status.data() + status.size(), caught, 16).ec !=
          std::errc())
    return 0;
  for (int signal : {SIGWINCH, SIGURG})
    if (!((caught | blocked) & bit(signal)))
      return signal;
  return 0;
}

} // namespace

// The file also reaches the part of a stack that has not been touched yet.
bool RemoteCall::write(uint64_t address, const void *bytes, size_t count) {
  return ::pwrite(memory_.get(), bytes, count, (off_t)address) == (ssize_t)count;
}

// Takes as much of the thread's stack as a signal handler would.
bool RemoteCall::prepare_own_frame(const ThreadState &resumed) {
  uint64_t at;
  const auto frame = return_frame(resumed, stack_pointer(resumed.registers) - kRedZoneBytes, &at);
  const uint64_t word = word_behind_call(entries_.libc);
  stack_ = at - sizeof word;
  ThreadRegisters registers;
  return read_registers(thread_.tid(), &registers) == 0 &&
         has_stack_room(thread_.tid(), stack_, registers.sp, registers.thread_pointer,
                        ProcessMap::read(thread_.tid())) &&
         write(at, frame.data(), frame.size()) && write(stack_, &word, sizeof word);
}

// Goes on to the start or the end of the system call that the thread is to make. A few signals are
// not blocked: the handler of one makes system calls of its own first, on its own stack.
bool RemoteCall::go_on_in_call() {
  do {
    if (!thread_.go_on(HeldThread::Until::kSystemCall) || read_general(thread_.tid(), &registers_))
      return false;
  } while (!is_in_call(registers_, entries_.libc, stack_));
  return true;
}

// Goes on to the end of the system call that the thread has just entered.
bool RemoteCall::finish_call(int64_t *result) {
  if (!go_on_in_call())
    return false;
  *result = result_of(registers_);
  return true;
}

bool RemoteCall::call(long number, std::initializer_list<uint64_t> arguments, int64_t *result) {
  const auto to =
      system_call(registers_, entries_.libc, number, {arguments.begin(), arguments.size()}, stack_);
  if (write_general(thread_.tid(), to) || block_signals(thread_.tid(), kBlocked))
    return false;
  return go_on_in_call() && finish_call(result);
}

// The limit of file sizes also holds for files in memory. A call that exceeds it raises SIGXFSZ,
// which would end the program as soon as the signal is no longer blocked.
bool RemoteCall::may_write(uint64_t bytes) const {
  const std::string limits = read_small_file(thread_.folder() + "limits");
  constexpr std::string_view kField = "\nMax file size";
  const size_t at = limits.find(kField);
  if (at == std::string::npos)
    return false;
  const size_t from = limits.find_first_not_of(' ', at + kField.size());
  uint64_t most = 0;
  return limits.compare(from, 9, "unlimited") == 0 ||
         (std::from_chars(&limits[from], limits.data() + limits.size(), most).ec == std::errc() &&
          bytes <= most);
}

// Removes a pending signal that the thread's last call has raised.
void RemoteCall::take_away(int signal) {
  const uint64_t words[] = {bit(signal), 0, 0}; // a set of signals, and no time to wait
  int64_t ignored;
  if (write(region_, words, sizeof words))
    call(SYS_rt_sigtimedwait, {region_, 0, region_ + 8, sizeof words[0]}, &ignored);
}

// Gives the process a copy of the library in memory, and the thread that loads it a path of the
// copy. No other file uses that path's spelling, which the loader keeps as the library's name.
//
// Another thread of the process may put any file in the descriptor's place at any moment. So the
// command puts the bytes into the thread's memory alone, and the thread itself writes them to the
// descriptor, whatever that is by now, with no right but its own. It writes at an offset of the
// file, since that fails on a FIFO, for which the thread would wait. Returns why there is no copy;
// empty: success.
std::string RemoteCall::pass_library() {
  constexpr char kName[] = "libnophook.so"; // kPassedFile
  library_ = entries_.library;
  if (entries_.wake || !library_.empty())
    return "";
  const auto from = MappedFile::open(entries_.passed);
  if (!from)
    return "the library for its copy cannot be read";
  if (!may_write(from->size()))
    return "its limit of file sizes (ulimit -f) is too low for a copy of the library";
  if (!write(region_, kName, sizeof kName) ||
      !call(SYS_memfd_create, {region_, MFD_CLOEXEC}, &descriptor_))
    return "it has been lost";
  if (descriptor_ < 0)
    return fmt::format("the kernel gives the process no memory file for the library ({})",
                       std::strerror((int)-descriptor_));
  library_ = fmt::format("/proc/thread-self/fd/{}", descriptor_);
  for (uint64_t at = 0; at < from->size();) {
    const auto part = from->bytes().subspan(at, std::min(kRegionBytes, from->size() - at));
    int64_t written = 0;
    if (!write(region_, part.data(), part.size()) ||
        !call(SYS_pwrite64, {(uint64_t)descriptor_, region_, part.size(), at}, &written))
      return "it has been lost";
    if (written == -EFBIG) // another thread has lowered the limit since the look
      take_away(SIGXFSZ);
    if (written <= 0 || (uint64_t)written > part.size())
      return fmt::format("its copy of the library cannot be written ({})",
                         std::strerror(written < 0 ? (int)-written : EIO));
    at += (uint64_t)written;
  }
  return "";
}

// Writes the block with its texts, and the frame above it. Returns where the stack begins; 0: it
// cannot be written.
uint64_t RemoteCall::lay_out(const ThreadState &resumed, const std::string &settings) {
  CallBlock block = {};
  uint64_t at;
  const auto frame = return_frame(resumed, region_ + kRegionBytes, &at);
  bool works = write(at, frame.data(), frame.size());
  block.frame = at;
  const auto put = [&](const std::string &text) {
    at -= text.size() + 1;
    works = works && write(at, text.c_str(), text.size() + 1);
    return at;
  };
  block.dlopen = entries_.dlopen;
  block.path = put(library_);
  block.flags = RTLD_NOW | RTLD_GLOBAL;
  block.dlsym = entries_.dlsym;
  block.name = put(kEntry);
  block.dlerror = entries_.dlerror;
  block.errno_location = entries_.errno_location;
  block.settings = put(settings);
  block.wake = entries_.wake;
  block.signal = (uint64_t)signal_;
  block.descriptor = descriptor_;
  block_ = (at - sizeof block) & ~uint64_t{63};
  const auto code = call_code();
  works = works && write(block_, &block, sizeof block) && write(region_, code.data(), code.size());
  return works ? block_ : 0;
}

// Another process has sent the same signal, and may do so all the time. So the code is to send no
// signal, and the thread to receive none. A signal that it sends nevertheless has no effect when it
// is back.
bool RemoteCall::forgo_signal() {
  const uint64_t none = 0;
  signal_ = 0;
  return write(block_ + offsetof(CallBlock, signal), &none, sizeof none) &&
         block_signals(thread_.tid(), kBlocked) == 0;
}

// Goes on to the signal behind the calls. Without a signal, the loader's system calls are followed
// up to the one by which the code returns, which takes 50 stops. Signals that are not blocked are
// delivered on the way. The sender of a signal is not examined: the kernel keeps one of each kind,
// so ours may come as another's that was there already. The place alone shows that the calls have
// returned.
bool RemoteCall::run_code() {
  if (signal_ && block_signals(thread_.tid(), kBlocked & ~bit(signal_)))
    return false;
  while (signal_) {
    if (!thread_.go_on(HeldThread::Until::kSignal) || read_general(thread_.tid(), &registers_))
      return false;
    if (thread_.signal() != signal_)
      continue;
    if (is_behind_signal(registers_, region_)) {
      thread_.drop_signal();
      return true;
    }
    if (!forgo_signal())
      return false;
  }
  do {
    if (!thread_.go_on(HeldThread::Until::kSystemCall) || read_general(thread_.tid(), &registers_))
      return false;
  } while (!is_at_end(registers_, region_));
  return true;
}

// The thread is at the start of the code's last system call, and makes this one instead.
bool RemoteCall::unmap() {
  int64_t ignored;
  if (signal_)
    return call(SYS_munmap, {region_, kRegionBytes}, &ignored);
  const uint64_t memory[] = {region_, kRegionBytes};
  return !write_general(thread_.tid(),
                        instead_of_call(registers_, entries_.libc, SYS_munmap, memory, stack_)) &&
         finish_call(&ignored);
}

void RemoteCall::read_block(RemoteResult *result) {
  CallBlock block = {};
  if (::pread(memory_.get(), &block, sizeof block, (off_t)block_) != sizeof block)
    return;
  result->is_done = block.is_done;
  result->woken = block.result;
  char text[kMostErrorBytes + 1] = "";
  // A text that ends in front of unmapped memory is read in part.
  if (block.error && ::pread(memory_.get(), text, kMostErrorBytes, (off_t)block.error) > 0)
    result->error = printable(text);
}

// The kernel decides about a cut call only after a stop of this kind, so there is one more. If a
// handler has begun, the frame brings the thread back behind it.
void RemoteCall::go_back(const ThreadState &state,
                         const std::function<void(user_regs_struct *)> &ending) {
  if (::ptrace(PTRACE_INTERRUPT, thread_.tid(), nullptr, nullptr) != 0 ||
      !thread_.go_on(HeldThread::Until::kStop) || read_general(thread_.tid(), &registers_) ||
      !is_in_call(registers_, entries_.libc, stack_))
    return;
  ThreadState end = state;
  ending(&end.registers);
  // If this fails, the frame brings the thread back.
  (void)write_state(thread_.tid(), end);
}

RemoteResult RemoteCall::run(const ThreadState &state, const std::string &settings,
                             const std::function<void(user_regs_struct *)> &ending) {
  RemoteResult result;
  const auto refused = [&](std::string why) {
    if (!thread_.is_gone())
      result.refusal = std::move(why);
    return result;
  };
  memory_.reset(::open(fmt::format("{}mem", thread_.folder()).c_str(), O_RDWR | O_CLOEXEC));
  if (!memory_.valid())
    return refused("its memory cannot be written to");
  uint8_t code[kCodeBytes];
  const uint64_t pc = program_counter(state.registers);
  const bool has_code = read_memory(thread_.tid(), pc - sizeof code, code, sizeof code);
  ThreadState resumed = state;
  resumed.registers = issued_again(state.registers, has_code ? std::span<const uint8_t>(code)
                                                             : std::span<const uint8_t>());
  if (!prepare_own_frame(resumed))
    return refused("there is no room on its stack");

  signal_ = entries_.may_lose_signal ? 0 : signal_of_no_effect(thread_.folder(), state.signals);
  registers_ = resumed.registers;
  int64_t memory = 0, protect = 0, ignored = 0;
  constexpr uint64_t kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (!call(SYS_mmap, {0, kRegionBytes, PROT_READ | PROT_WRITE, kPrivate, ~uint64_t{0}, 0},
            &memory))
    return refused("it has been lost");
  if (memory < 0 && memory > -4096) {
    go_back(state, ending);
    return refused(
        fmt::format("the kernel gives the process no memory ({})", std::strerror((int)-memory)));
  }
  region_ = (uint64_t)memory;
  std::string why = pass_library();
  result.is_for_ever = !why.empty(); // other threads have the same limits and descriptors
  const uint64_t stack = why.empty() ? lay_out(resumed, settings) : 0;
  if (why.empty() && !stack)
    why = "its memory cannot be written to";
  if (why.empty() && !call(SYS_mprotect, {region_, kPage, PROT_READ | PROT_EXEC}, &protect))
    return refused("it has been lost");
  if (protect != 0) {
    result.is_for_ever = protect == -EACCES || protect == -EPERM;
    why = fmt::format("the kernel lets it make no code ({}; PR_SET_MDWE, as systemd's "
                      "MemoryDenyWriteExecute, does that): start it with the runtime (LD_PRELOAD)",
                      std::strerror((int)-protect));
  }
  if (!why.empty()) {
    if ((descriptor_ < 0 || call(SYS_close, {(uint64_t)descriptor_}, &ignored)) &&
        call(SYS_munmap, {region_, kRegionBytes}, &ignored))
      go_back(state, ending);
    return refused(std::move(why));
  }
  result.is_begun = true;
  if (write_general(thread_.tid(), at_call_code(registers_, region_, block_, stack)) || !run_code())
    return refused("it has been lost");
  read_block(&result);
  if (unmap())
    go_back(state, ending);
  return result;
}

} // namespace nophook
