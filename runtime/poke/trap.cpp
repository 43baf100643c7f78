// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that meets our int3 has executed one byte of a site that is being changed. The
// handler lets it go on as if the new instruction had been there already: for a call it
// pushes the return address, for a jump or call it goes to the target, for a NOP behind it.
//
// A trap that is not ours belongs to the program: its own handler runs, with what it asked
// for; without one, the program dies of it as it would have without us.
//
// The handler outlives the batch as long as a thread may be between int3 and handler: such a
// thread would die of the default action. The table need not: when it is gone, so is the int3,
// and the thread executes the site once more.

#include "poke/trap.h"

#include "arch/arch.h"
#include "base/binary_search.h"
#include "base/eternal.h"
#include "base/memory.h"
#include "base/own_identity.h"
#include "poke/threads.h"

#include <errno.h>
#include <signal.h>

namespace nophook {
namespace {

enum Emulate : uint8_t { kNew, kOld, kNop };

struct TrapSite {
  const uint8_t *ip; // ascending
  uint64_t to : 8 * Arch::kSiteBytes;
  uint64_t from : 8 * Arch::kSiteBytes;
  // The site holds none of our bytes. Relaxed: the table is in force when it is stored, and a
  // handler that misses it emulates an instruction of ours once more, as it did just before.
  uint8_t forgotten;
};

// Readers of it are counted in g_readers; it is freed when it is unpublished and has no readers.
struct TrapTable {
  TrapTable *next; // of those that are kept or still to be freed
  uint64_t bytes;
  uint64_t count;
  uint8_t emulate; // Emulate
  TrapSite sites[];
};

TrapTable *g_table = nullptr;   // of the batch
TrapTable *g_kept = nullptr;    // their int3 stay for good
TrapTable *g_retired = nullptr; // unpublished, perhaps still read
uint64_t g_readers = 0;
struct sigaction g_previous;
bool g_installed = false;
bool g_is_inherited = false; // every child of vfork has it, or is younger

TrappedThreads &trapped_threads() {
  static Eternal<TrappedThreads> threads;
  return *threads;
}

TrapSite *find_in(TrapTable *table, const uint8_t *ip) {
  const uint64_t at =
      lower_bound(table->count, [&](uint64_t i) { return table->sites[i].ip < ip; });
  return at < table->count && table->sites[at].ip == ip ? &table->sites[at] : nullptr;
}

bool find_insn_in(TrapTable *table, const uint8_t *ip, uint64_t *insn) {
  const TrapSite *site = table ? find_in(table, ip) : nullptr;
  if (!site || __atomic_load_n(&site->forgotten, __ATOMIC_RELAXED))
    return false;
  uint8_t emulate = __atomic_load_n(&table->emulate, __ATOMIC_RELAXED);
  *insn = emulate == kNew ? site->to : emulate == kOld ? site->from : 0;
  return true;
}

// Whether a trap at `ip` is ours; if so, the instruction to go on with, 0 for a NOP.
bool find_insn(const uint8_t *ip, uint64_t *insn) {
  // seq_cst, as where the table goes: either the reader sees that the table is gone, or the
  // writer sees the reader.
  __atomic_fetch_add(&g_readers, 1, __ATOMIC_SEQ_CST);
  bool found = find_insn_in(__atomic_load_n(&g_table, __ATOMIC_SEQ_CST), ip, insn);
  for (TrapTable *t = __atomic_load_n(&g_kept, __ATOMIC_ACQUIRE); t && !found; t = t->next)
    found = find_insn_in(t, ip, insn);
  __atomic_fetch_sub(&g_readers, 1, __ATOMIC_RELEASE);
  return found;
}

// What the kernel would do without a handler.
void pass_to_default(const siginfo_t *info, void *context) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGTRAP, &action, nullptr);
  if (Arch::is_trap_insn(info->si_code))
    Arch::execute_again(context); // int3 once more: the core dump shows where
  else
    signal_own_thread(SIGTRAP);
}

void pass_on(int signal, siginfo_t *info, void *context) {
  struct sigaction theirs = g_previous;
  if (!(theirs.sa_flags & SA_SIGINFO) && theirs.sa_handler == SIG_IGN && info->si_code <= 0)
    return; // sent by a process: ignored; int3 kills under SIG_IGN as well
  if (!(theirs.sa_flags & SA_SIGINFO) &&
      (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN)) {
    pass_to_default(info, context);
    return;
  }
  if (theirs.sa_flags & (int)SA_RESETHAND)
    g_previous.sa_handler = SIG_DFL, g_previous.sa_flags = 0;
  uint64_t mask = 0; // of the kernel's size; the return from our handler takes it back
  copy_bytes(&mask, &theirs.sa_mask, sizeof mask);
  if (!(theirs.sa_flags & SA_NODEFER))
    mask |= uint64_t{1} << (SIGTRAP - 1);
  sys(SYS_rt_sigprocmask, SIG_BLOCK, &mask, nullptr, sizeof mask);
  if (theirs.sa_flags & SA_SIGINFO)
    theirs.sa_sigaction(signal, info, context);
  else
    theirs.sa_handler(signal);
}

void on_trap(int signal, siginfo_t *info, void *context) {
  const uint64_t address = Arch::trapped_at(context);
  auto *ip = reinterpret_cast<const uint8_t *>(address);
  uint64_t insn = 0;
  // Only int3 leads behind the first byte of a site, whatever the signal says: a signal
  // that was sent to this thread at the same time would have taken the place of ours.
  if (!find_insn(ip, &insn)) {
    if (Arch::is_trap_insn(info->si_code) && !Arch::is_trap(ip))
      Arch::execute_again(context); // of a batch that is over: what stands there now will do
    else
      pass_on(signal, info, context);
    return;
  }
  Arch::emulate_insn(context, address, insn ? insn : Arch::kNopClang);
}

bool is_ours(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_trap;
}

bool install() {
  struct sigaction now = {}, action = {};
  if (sigaction(SIGTRAP, nullptr, &now) != 0)
    return false;
  if (is_ours(now))
    return true; // of an earlier batch
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
  g_previous = now; // before a trap can need it
  g_is_inherited = false;
  return g_installed = sigaction(SIGTRAP, &action, nullptr) == 0;
}

void uninstall() {
  struct sigaction now;
  g_installed = false;
  if (sigaction(SIGTRAP, nullptr, &now) == 0 && is_ours(now))
    sigaction(SIGTRAP, &g_previous, nullptr); // else the program has installed its own in between
}

void push(TrapTable **list, TrapTable *table) {
  table->next = *list;
  __atomic_store_n(list, table, __ATOMIC_RELEASE);
}

void free_retired() {
  if (__atomic_load_n(&g_readers, __ATOMIC_SEQ_CST))
    return; // a thread has been interrupted in find_insn: next time
  while (TrapTable *table = g_retired) {
    g_retired = table->next;
    unmap_pages(table, table->bytes);
  }
}

} // namespace

Status trap_install(bool *is_inherited) {
  if (!install())
    return failure(EPERM, "the SIGTRAP handler cannot be installed");
  *is_inherited = g_is_inherited;
  return {};
}

Status trap_begin(const PokeSite *sites, uint64_t count) {
  uint64_t traps = 0;
  for (uint64_t i = 0; i < count; i++)
    traps += sites[i].way() == PokeWay::kTrap && !sites[i].failed();
  uint64_t bytes = sizeof(TrapTable) + traps * sizeof(TrapSite);
  auto *table = static_cast<TrapTable *>(map_pages(bytes));
  if (!table)
    return failure(ENOMEM, "no memory for a table of traps");
  table->bytes = bytes;
  for (uint64_t i = 0; i < count; i++)
    if (sites[i].way() == PokeWay::kTrap && !sites[i].failed()) {
      TrapSite &site = table->sites[table->count++];
      site.ip = sites[i].ip();
      site.to = sites[i].to();
      site.from = sites[i].from();
    }
  __atomic_store_n(&g_table, table, __ATOMIC_SEQ_CST);
  g_is_inherited = true;
  return {};
}

void trap_forget(const uint8_t *ip) {
  if (TrapSite *site = find_in(g_table, ip))
    __atomic_store_n(&site->forgotten, 1, __ATOMIC_RELAXED);
}

void trap_undo() {
  if (g_table)
    __atomic_store_n(&g_table->emulate, kOld, __ATOMIC_RELAXED);
}

void trap_end(bool stuck) {
  TrapTable *table = g_table;
  if (stuck) {
    __atomic_store_n(&table->emulate, kNop, __ATOMIC_RELAXED);
    push(&g_kept, table); // first kept, then unpublished: it is never missed
  }
  __atomic_store_n(&g_table, nullptr, __ATOMIC_SEQ_CST);
  if (!stuck)
    push(&g_retired, table);
  trapped_threads().take_all();
  trap_uninstall_when_idle();
}

void trap_uninstall_when_idle() {
  if (g_installed && !g_kept && trapped_threads().all_through())
    uninstall();
  if (g_retired)
    free_retired();
}

} // namespace nophook
