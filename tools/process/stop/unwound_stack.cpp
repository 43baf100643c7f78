// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives libdw the mapped files and the thread's registers and memory, and checks each frame's
// rules.

#include "process/stop/unwound_stack.h"

#include "read/symbols/readable_name.h"

#include <algorithm>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

namespace nophook {

struct UnwoundProcess {
  int32_t pid = 0;
  std::vector<MappedRange> code;
  Dwfl *dwfl = nullptr;

  // Set while a stack is unwound.
  const ThreadRegisters *registers = nullptr;
  const ReadMemory *read = nullptr;
  UnwoundStack *stack = nullptr;

  UnwoundProcess() = default;
  ~UnwoundProcess() {
    if (dwfl)
      dwfl_end(dwfl);
  }
  UnwoundProcess(const UnwoundProcess &) = delete;
  UnwoundProcess &operator=(const UnwoundProcess &) = delete;
};

namespace {

constexpr size_t kMostFrames = 20'000;

// The process that is being prepared: libdw does not pass it to this callback.
thread_local int32_t g_pid = 0;
thread_local const ProcessMap *g_map = nullptr;

int find_file(Dwfl_Module *module, void **userdata, const char *name, Dwarf_Addr base,
              char **file_name, Elf **elf) {
  if (*name != '/') // the kernel's own object
    return dwfl_linux_proc_find_elf(module, userdata, name, base, file_name, elf);
  const MappedRange *range = g_map ? g_map->find(base) : nullptr;
  return range ? open_mapped(g_pid, *range).release() : -1;
}

// Finds no separate debug file: only the contents of the running file count.
int find_no_other_file(Dwfl_Module *, void **, const char *, Dwarf_Addr, const char *, const char *,
                       GElf_Word, char **) {
  return -1;
}

char *g_no_path = nullptr;
const Dwfl_Callbacks kCallbacks = {.find_elf = find_file,
                                   .find_debuginfo = find_no_other_file,
                                   .section_address = nullptr,
                                   .debuginfo_path = &g_no_path};

// The unwind rules of one place, from the tables of its file.
class Rules {
public:
  // `address` lies in the instruction that runs.
  Rules(Dwfl *dwfl, Dwarf_Addr address) {
    Dwarf_Addr bias = 0;
    Dwfl_Module *module = dwfl_addrmodule(dwfl, address);
    Dwarf_CFI *tables = module ? dwfl_module_eh_cfi(module, &bias) : nullptr;
    if (!tables || dwarf_cfi_addrframe(tables, address - bias, &rules_) != 0)
      rules_ = nullptr;
  }
  ~Rules() { ::free(rules_); }
  Rules(const Rules &) = delete;
  Rules &operator=(const Rules &) = delete;

  bool are_there() const { return rules_; }
  // Whether the rules say that there is no caller. `*is_handlers`: they describe the kernel's
  // frame.
  bool end_stack(bool *is_handlers) const {
    Dwarf_Addr start, end;
    Dwarf_Op memory[3], *rule = nullptr;
    size_t length = 0;
    const int number = dwarf_frame_info(rules_, &start, &end, is_handlers);
    return number >= 0 && dwarf_frame_register(rules_, number, memory, &rule, &length) == 0 &&
           length == 0 && rule == memory; // undefined
  }

private:
  Dwarf_Frame *rules_ = nullptr;
};

// ---- Callbacks of libdw

pid_t next_thread(Dwfl *, void *, void **) {
  return 0; // threads are asked for by number
}

bool get_thread(Dwfl *, pid_t, void *process, void **thread) {
  *thread = process;
  return true;
}

bool set_registers(Dwfl_Thread *thread, void *process) {
  const ThreadRegisters &registers = *static_cast<UnwoundProcess *>(process)->registers;
  std::vector<Dwarf_Word> words(registers.values.begin(),
                                registers.values.begin() + registers.count);
  dwfl_thread_state_register_pc(thread, registers.pc);
  return dwfl_thread_state_registers(thread, 0, registers.count, words.data());
}

bool read_word(Dwfl *, Dwarf_Addr address, Dwarf_Word *word, void *process) {
  auto *p = static_cast<UnwoundProcess *>(process);
  const bool works = (*p->read)(address, word, sizeof *word);
  p->stack->lacks_memory |= !works;
  return works;
}

constexpr Dwfl_Thread_Callbacks kThreads = {.next_thread = next_thread,
                                            .get_thread = get_thread,
                                            .memory_read = read_word,
                                            .set_initial_registers = set_registers,
                                            .detach = nullptr,
                                            .thread_detach = nullptr};

int add_frame(Dwfl_Frame *frame, void *process) {
  auto *p = static_cast<UnwoundProcess *>(process);
  UnwoundStack &stack = *p->stack;
  Dwarf_Addr pc;
  Dwarf_Word sp;
  bool is_activation;
  if (!dwfl_frame_pc(frame, &pc, &is_activation) ||
      dwfl_frame_reg(frame, kStackPointerNumber, &sp) != 0)
    return DWARF_CB_ABORT;
  stack.frames.push_back({pc, sp});
  const Rules rules(p->dwfl, pc - (is_activation ? 0 : 1));
  bool is_handlers = false;
  const bool ends = rules.are_there() && rules.end_stack(&is_handlers);
  stack.has_handler |= is_handlers;
  if (!rules.are_there())
    stack.end = UnwoundStack::End::kNoTable;
  else if (stack.frames.size() == kMostFrames)
    stack.end = UnwoundStack::End::kTooMany;
  else if (ends)
    stack.end = UnwoundStack::End::kThread;
  else
    return DWARF_CB_OK;
  return DWARF_CB_ABORT;
}

// The first frame of a thread is on the stack that ends at its thread pointer, or, for the
// process's first thread, on the stack that the kernel made. A fiber's stack is elsewhere.
bool is_first_frame(const StackFrame &frame, const ThreadRegisters &registers,
                    const ProcessMap &map, bool is_first) {
  const MappedRange *stack = map.find(frame.sp);
  return stack && ((registers.thread_pointer > frame.sp && registers.thread_pointer < stack->end) ||
                   (is_first && stack->name == "[stack]"));
}

} // namespace

StackUnwinder::StackUnwinder(std::unique_ptr<UnwoundProcess> process)
    : process_(std::move(process)) {}
StackUnwinder::StackUnwinder(StackUnwinder &&) noexcept = default;
StackUnwinder &StackUnwinder::operator=(StackUnwinder &&) noexcept = default;
StackUnwinder::~StackUnwinder() = default;

Result<StackUnwinder> StackUnwinder::prepare(int32_t pid, const ProcessMap &map) {
  auto process = std::make_unique<UnwoundProcess>();
  process->pid = g_pid = pid;
  g_map = &map;
  process->code = map.code();
  Dwfl *dwfl = process->dwfl = dwfl_begin(&kCallbacks);
  const auto failed = [&](const char *why) {
    return error_at(fmt::format("process {}", pid),
                    fmt::format("its code cannot be read: {}", why ? why : "libdw fails"));
  };
  if (!dwfl)
    return failed(dwfl_errmsg(-1));
  if (const int error = dwfl_linux_proc_report(dwfl, pid); error != 0)
    return failed(error > 0 ? std::strerror(error) : dwfl_errmsg(-1));
  dwfl_report_end(dwfl, nullptr, nullptr);
  dwfl_getmodules(
      dwfl,
      [](Dwfl_Module *module, void **, const char *, Dwarf_Addr, void *) -> int {
        Dwarf_Addr bias;
        dwfl_module_eh_cfi(module, &bias); // libdw keeps the table; without it, threads are refused
        return DWARF_CB_OK;
      },
      nullptr, 0);
  g_map = nullptr;
  if (!dwfl_attach_state(dwfl, nullptr, pid, &kThreads, process.get()))
    return failed(dwfl_errmsg(-1));
  return StackUnwinder(std::move(process));
}

UnwoundStack StackUnwinder::unwind(const ThreadRegisters &registers, const ReadMemory &read,
                                   const ProcessMap &map, bool is_first) {
  UnwoundStack stack;
  process_->registers = &registers;
  process_->read = &read;
  process_->stack = &stack;
  // libdw's own errors do not help users: most are "No DWARF information found".
  (void)dwfl_getthread_frames(process_->dwfl, process_->pid, add_frame, process_.get());
  if (stack.is_whole() && !is_first_frame(stack.frames.back(), registers, map, is_first))
    stack.end = UnwoundStack::End::kElsewhere;
  return stack;
}

std::string StackUnwinder::name_of(uint64_t pc) const {
  Dwfl_Module *module = dwfl_addrmodule(process_->dwfl, pc);
  const char *name = module ? dwfl_module_addrname(module, pc) : nullptr;
  return name ? printable(readable_name(name)) : fmt::format("{:#x}", pc);
}

std::string StackUnwinder::explain(const UnwoundStack &stack) const {
  switch (stack.end) {
  case UnwoundStack::End::kThread:
    return "";
  case UnwoundStack::End::kNoTable:
    return fmt::format("not judged, since {} has no unwind table", name_of(stack.frames.back().pc));
  case UnwoundStack::End::kTooMany:
    return fmt::format("not judged, since its stack has more than {} frames", kMostFrames);
  case UnwoundStack::End::kElsewhere:
    return "not judged, since its stack does not end where the thread began (it may be a fiber's)";
  case UnwoundStack::End::kUnknown:
    break;
  }
  return "not judged, since its stack cannot be unwound to its end";
}

bool StackUnwinder::fits(const ProcessMap &map) const {
  return map.code() == process_->code;
}

} // namespace nophook
