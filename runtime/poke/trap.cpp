// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread that meets our int3 has executed one byte of a site that is being changed. The
// handler lets it go on as if the new instruction had been there already: for a call it
// pushes the return address, for a jump or call it goes to the target, for a NOP behind it.
//
// A trap that is not ours belongs to the program: its own handler runs, with the mask and flags
// that it asked for; without a handler, the program dies of the trap as it would have without us.
//
// The handler stays for good. A thread may be between int3 and handler when its batch ends, and
// would die of the default action. The length of that time depends on the machine: a virtual CPU
// that loses its real one stays there for a time slice, and that time counts as the thread's own.
// The table need not stay: when it is gone, so is the int3, and the thread executes the site once
// more.

#include "poke/trap.h"

#include "arch/arch.h"
#include "base/binary_search.h"
#include "base/memory.h"
#include "base/own_identity.h"

#include <errno.h>
#include <signal.h>

void (*nophook_trap_stop)(int has_looked) = nullptr;

namespace nophook {
namespace {

enum Emulate : uint8_t { kNew, kOld, kNop };

struct TrapSite {
  const uint8_t *ip; // address of the site; addresses ascend
  uint64_t to : 8 * Arch::kSiteBytes;
  uint64_t from : 8 * Arch::kSiteBytes;
  // Whether the site holds none of our bytes. Relaxed: the table is in force when it is stored, and
  // a handler that misses it emulates an instruction of ours once more, as it did just before.
  uint8_t forgotten;
};

// A table of sites with int3. Its readers are counted in g_readers; it is freed when it is
// unpublished and has no readers.
struct TrapTable {
  TrapTable *next; // the next of the tables that are kept or still to be freed
  uint64_t bytes;
  uint64_t count;
  uint8_t emulate; // the instruction to emulate, an Emulate
  TrapSite sites[];
};

TrapTable *g_table = nullptr;   // table of the present batch
TrapTable *g_kept = nullptr;    // tables whose int3 stay for good
TrapTable *g_retired = nullptr; // tables that are unpublished, but may still be read
uint64_t g_readers = 0;
uint32_t g_published = 0;    // number of tables published so far
bool g_is_inherited = false; // whether every child of vfork has the handler, or is younger

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
  // seq_cst, as in the code that removes the table: either the reader sees that the table is gone,
  // or the writer sees the reader.
  __atomic_fetch_add(&g_readers, 1, __ATOMIC_SEQ_CST);
  bool found = find_insn_in(__atomic_load_n(&g_table, __ATOMIC_SEQ_CST), ip, insn);
  for (TrapTable *t = __atomic_load_n(&g_kept, __ATOMIC_ACQUIRE); t && !found; t = t->next)
    found = find_insn_in(t, ip, insn);
  __atomic_fetch_sub(&g_readers, 1, __ATOMIC_RELEASE);
  return found;
}

void at(int has_looked) {
  if (nophook_trap_stop)
    nophook_trap_stop(has_looked);
}

// Whether a trap at `ip` is ours, and no other tool's int3 is met there.
//
// A thread that loses its CPU between the look into the tables and the look at the byte may find
// the int3 of a later batch, whose table it has not seen. So if the byte is an int3, no table may
// have been published since before the first look. acquire pairs with trap_begin()'s release: the
// int3 is written behind it, so a thread that reads the int3 reads the new number, too.
enum class Trap : uint8_t { kOurs, kOver, kForeign };
Trap trap_at(const uint8_t *ip, uint64_t *insn) {
  for (;;) {
    const uint32_t published = __atomic_load_n(&g_published, __ATOMIC_ACQUIRE);
    at(0);
    if (find_insn(ip, insn))
      return Trap::kOurs;
    at(1);
    if (!Arch::is_trap(ip))
      return Trap::kOver;
    __atomic_thread_fence(__ATOMIC_ACQUIRE); // the byte is read before the number
    if (__atomic_load_n(&g_published, __ATOMIC_RELAXED) == published)
      return Trap::kForeign;
  }
}

// The kernel's default action for a trap without a handler.
void pass_to_default(const siginfo_t *info, void *context) {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGTRAP, &action, nullptr);
  if (Arch::is_trap_insn(info->si_code))
    Arch::execute_again(context); // int3 once more: the core dump shows where
  else
    signal_own_thread(SIGTRAP);
}

void pass_on(struct sigaction *previous, int signal, siginfo_t *info, void *context) {
  struct sigaction theirs = *previous;
  if (!(theirs.sa_flags & SA_SIGINFO) && theirs.sa_handler == SIG_IGN && info->si_code <= 0)
    return; // a signal that a process has sent is ignored; int3 kills under SIG_IGN as well
  if (!(theirs.sa_flags & SA_SIGINFO) &&
      (theirs.sa_handler == SIG_DFL || theirs.sa_handler == SIG_IGN)) {
    pass_to_default(info, context);
    return;
  }
  if (theirs.sa_flags & (int)SA_RESETHAND)
    previous->sa_handler = SIG_DFL, previous->sa_flags = 0;
  uint64_t mask = 0; // signal mask of the kernel's size; the return from our handler restores it
  copy_bytes(&mask, &theirs.sa_mask, sizeof mask);
  if (!(theirs.sa_flags & SA_NODEFER))
    mask |= uint64_t{1} << (SIGTRAP - 1);
  sys(SYS_rt_sigprocmask, SIG_BLOCK, &mask, nullptr, sizeof mask);
  if (theirs.sa_flags & SA_SIGINFO)
    theirs.sa_sigaction(signal, info, context);
  else
    theirs.sa_handler(signal);
}

void on_trap(struct sigaction *previous, int signal, siginfo_t *info, void *context) {
  const uint64_t address = Arch::trapped_at(context);
  auto *ip = reinterpret_cast<const uint8_t *>(address);
  uint64_t insn = 0;
  // Only int3 leads behind the first byte of a site, whatever the signal says: a signal
  // that was sent to this thread at the same time would have taken the place of ours.
  const Trap trap = trap_at(ip, &insn);
  if (trap == Trap::kOurs)
    Arch::emulate_insn(context, address, insn ? insn : Arch::kNopClang);
  else if (trap == Trap::kOver && Arch::is_trap_insn(info->si_code))
    // The trap of a batch that is over: the thread executes the present instruction.
    Arch::execute_again(context);
  else
    pass_on(previous, signal, info, context);
}

// A program may install a handler of its own over ours, which calls ours for the traps that it does
// not know. Installed over that once more, one function would call itself through the program's
// without an end. So each installation has a function of its own, and what it has replaced. A
// program that does so more often than there are functions gets no more of them: its handler stays.
struct Installation {
  void (*function)(int, siginfo_t *, void *);
  struct sigaction previous;
};
template <int kNumber> void on_trap_of(int signal, siginfo_t *info, void *context);
Installation g_installations[] = {
    {on_trap_of<0>, {}}, {on_trap_of<1>, {}}, {on_trap_of<2>, {}}, {on_trap_of<3>, {}},
    {on_trap_of<4>, {}}, {on_trap_of<5>, {}}, {on_trap_of<6>, {}}, {on_trap_of<7>, {}},
};
constexpr int kInstallations = sizeof g_installations / sizeof *g_installations;
int g_installed = 0; // number of installations

template <int kNumber> void on_trap_of(int signal, siginfo_t *info, void *context) {
  on_trap(&g_installations[kNumber].previous, signal, info, context);
}

bool is_ours(const struct sigaction &action) {
  if (!(action.sa_flags & SA_SIGINFO))
    return false;
  for (int i = 0; i < g_installed; i++)
    if (action.sa_sigaction == g_installations[i].function)
      return true;
  return false;
}

bool is_same(const struct sigaction &a, const struct sigaction &b) {
  return equal_bytes(reinterpret_cast<const char *>(&a), reinterpret_cast<const char *>(&b),
                     sizeof a);
}

// Installs the handler. Null, or the reason why it cannot be installed.
const char *install() {
  struct sigaction now = {}, action = {};
  if (sigaction(SIGTRAP, nullptr, &now) != 0)
    return "the SIGTRAP handler cannot be installed";
  if (is_ours(now))
    return nullptr; // the handler of an earlier batch
  // An action that one of ours has replaced before gets the same one of ours again.
  int number = 0;
  while (number < g_installed && !is_same(g_installations[number].previous, now))
    number++;
  if (number == kInstallations)
    return "the program has replaced the SIGTRAP handler too often";
  g_installations[number].previous = now; // stored before a trap can need it
  g_installed += number == g_installed;
  action.sa_sigaction = g_installations[number].function;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART;
  g_is_inherited = false;
  return sigaction(SIGTRAP, &action, nullptr) == 0 ? nullptr
                                                   : "the SIGTRAP handler cannot be installed";
}

void push(TrapTable **list, TrapTable *table) {
  table->next = *list;
  __atomic_store_n(list, table, __ATOMIC_RELEASE);
}

void free_retired() {
  if (__atomic_load_n(&g_readers, __ATOMIC_SEQ_CST))
    return; // a thread was interrupted in find_insn: freed at the next call
  while (TrapTable *table = g_retired) {
    g_retired = table->next;
    unmap_pages(table, table->bytes);
  }
}

} // namespace

Status trap_install(bool *is_inherited) {
  if (const char *reason = install())
    return failure(EPERM, reason);
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
  // Comes behind the table and in front of the first int3: pairs with trap_at().
  __atomic_fetch_add(&g_published, 1, __ATOMIC_SEQ_CST);
  g_is_inherited = true;
  free_retired();
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
  free_retired();
}

} // namespace nophook
