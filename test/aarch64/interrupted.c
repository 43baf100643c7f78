// A signal handler interrupts each instruction of each trampoline, and makes traced calls of its
// own. All registers are handed on as ever, no event is lost, and times only grow. From each
// instruction unwinders find the caller, by DWARF and by frame pointers.
//
// RUN: %with_trampolines %s -o %t && %aarch64-run %t
#include "Inputs/call_states.h"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

static uint32_t *trap_at, had_there;
static int trampoline, interruptions;

static void write_insn(uint32_t *at, uint32_t insn) {
  *at = insn;
  __builtin___clear_cache((char *)at, (char *)(at + 1));
}

struct trace {
  uint64_t ip[64];
  int count;
};
static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *argument) {
  struct trace *trace = argument;
  if (trace->count < 64)
    trace->ip[trace->count++] = _Unwind_GetIP(context);
  return trace->count < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void check_unwinding(const ucontext_t *context) {
  struct trace trace = {.count = 0};
  _Unwind_Backtrace(add_frame, &trace);
  int at = 0, callers = 0;
  while (at < trace.count && trace.ip[at] != (uint64_t)call_has_returned)
    at++;
  for (int i = at; i < trace.count; i++)
    callers += trace.ip[i] == (uint64_t)call_has_returned;
  if (callers != 1 || at + 1 >= trace.count || !trace.ip[at + 1]) {
    printf("%s: DWARF at %#lx: ", what, (uint64_t)trap_at);
    for (int i = 0; i < trace.count; i++)
      printf(" %#lx", trace.ip[i]);
    printf("\n");
    exit(1);
  }
  uint64_t *frame = (uint64_t *)context->uc_mcontext.regs[29];
  for (int i = 0; i < 4 && (uint64_t)frame != back.x[29]; i++)
    frame = (uint64_t *)frame[0];
  CHECK((uint64_t)frame == back.x[29]);
}

static void handle(int signal, siginfo_t *info, void *context) {
  (void)signal;
  (void)info;
  ucontext_t *interrupted = context;
  CHECK(interrupted->uc_mcontext.pc == (uint64_t)trap_at);
  write_insn(trap_at, had_there);
  interruptions++;
  check_unwinding(interrupted);
  static struct state entry_was, back_was, found_was, result_was;
  entry_was = entry, back_was = back, found_was = found, result_was = result;
  const int wanted_exit = wants_exit;
  for (int i = 0; i < 2; i++)
    call_with(body_thunks + 32 * trampoline, &entry_was, &back);
  entry = entry_was, back = back_was, found = found_was, result = result_was;
  wants_exit = wanted_exit;
}

static uint64_t check_events(void) {
  uint64_t count = 0, last = 0;
  for (uint64_t *word = events; word < (uint64_t *)writer.pos; word++, count++) {
    CHECK(*word);
    const uint64_t kind = *word >> NOPHOOK_KIND_SHIFT;
    const uint64_t ticks = *word & ((1ul << NOPHOOK_DT_BITS) - 1);
    CHECK((*word >> NOPHOOK_ID_SHIFT & ((1ul << NOPHOOK_ID_BITS) - 1)) == (uint64_t)trampoline);
    CHECK(ticks >= last);
    last = ticks;
    if (kind == NOPHOOK_EVENT_FUNCTION) {
      word++;
      CHECK(*word == ~(uint64_t)call_has_returned);
    } else {
      CHECK(kind == NOPHOOK_EVENT_ENTRY || kind == NOPHOOK_EVENT_EXIT ||
            kind == NOPHOOK_EVENT_ENTRY_ONLY);
    }
  }
  return count;
}

static void make_writable(const char *from, const char *to) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), start = (uint64_t)from & -page;
  CHECK(!mprotect((void *)start, (uint64_t)to - start, PROT_READ | PROT_WRITE | PROT_EXEC));
}

int main(void) {
  const struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_NODEFER};
  CHECK(!sigaction(SIGTRAP, &action, NULL));
  make_writable(trampolines_begin, trampolines_end);
  CHECK(trampolines_end - trampolines_begin > 4000);
  begin_writer();
  int all = 0;
  for (trampoline = 0; trampoline < kTrampolines; trampoline++)
    for (enum way way = 0; way < (calls_back(trampoline) ? kWays : kNested); way++) {
      static char name[64];
      snprintf(name, sizeof name, "%s, way %d", kNames[trampoline], way);
      what = name;
      interruptions = 0;
      prepare(trampoline, way);
      randomize(&entry);
      call_with(body_thunks + 32 * trampoline, &entry, &back); // where x29 is
      for (trap_at = (uint32_t *)trampolines_begin; trap_at < (uint32_t *)trampolines_end;
           trap_at++) {
        begin_writer();
        slow_events = 0;
        const int before = interruptions;
        had_there = *trap_at;
        write_insn(trap_at, 0xd4200000); // brk 0
        check_call(trampoline, way);
        const int was_there = interruptions - before;
        write_insn(trap_at, had_there);
        CHECK(was_there <= 1);
        const uint64_t calls = was_there ? 3 : 1;
        const uint64_t each = trampoline == kGraph || trampoline == kGraphCopy               ? 2
                              : trampoline == kFunction || trampoline == kGraphEntry ? 1
                                                                                             : 0;
        CHECK(check_events() + slow_events == calls * each);
      }
      CHECK(interruptions >= 20);
      all += interruptions;
    }
  what = "";
  CHECK(all > 2500);
  return 0;
}
