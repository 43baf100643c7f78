// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes modules of call stubs, with a site, a name and a target for each stub.

#include "calls/stubs.h"

#include "arch/arch.h"
#include "base/eternal.h"
#include "base/log.h"
#include "base/sort.h"
#include "poke/text.h"

#include <errno.h>
#include <string.h>

#include <nophook/args.h>

namespace nophook {
namespace {

struct Stub {
  uint64_t target, address; // addresses of the function and of its stub
  const char *name;
  uint32_t call;
};

// All stubs, sorted by target.
Array<Stub> &stubs() {
  static Eternal<Array<Stub>> stubs;
  return *stubs;
}

void sort_stubs() {
  sort(stubs().data(), stubs().size(),
       [](const Stub &a, const Stub &b) { return a.target < b.target; });
}

uint64_t find_stub(const Callee &callee) {
  const Stub *stub = stubs().begin(), *end = stubs().end();
  for (uint64_t count = stubs().size(); count;) {
    const uint64_t half = count / 2;
    if (stub[half].target < callee.target) {
      stub += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  for (; stub != end && stub->target == callee.target; stub++)
    if (stub->call == callee.kind.call && !strcmp(stub->name, callee.name))
      return stub->address;
  return 0;
}

// The memory of a module of stubs: code, then the pages of its data, which are read-only.
class StubMemory {
public:
  StubMemory(const Callee *const *callees, uint32_t count) : callees_(callees), count_(count) {
    code_bytes_ = round_up((uint64_t)count * Arch::kCallStubBytes, kPageBytes);
    data_bytes_ = count * (sizeof(uint64_t) + sizeof(const char *) + sizeof(struct nophook_args)) +
                  sizeof(CallStubs);
    for (uint32_t i = 0; i < count; i++)
      data_bytes_ += text_length(callees[i]->name) + 1;
  }

  Status make();
  void release() { unmap_pages(memory_, code_bytes_ + data_bytes_); }
  void fill(Module *module) const;
  uint64_t stub(uint32_t i) const { return start() + i * Arch::kCallStubBytes; }
  const char *name(uint32_t i) const { return names_[i]; }

private:
  uint64_t start() const { return reinterpret_cast<uint64_t>(memory_); }

  const Callee *const *callees_;
  uint32_t count_;
  uint64_t code_bytes_, data_bytes_;
  char *memory_ = nullptr;
  uint64_t *targets_ = nullptr;
  const char **names_ = nullptr;
  struct nophook_args *args_ = nullptr;
  CallStubs *calls_ = nullptr;
};

Status StubMemory::make() {
  memory_ = static_cast<char *>(map_pages(code_bytes_ + data_bytes_));
  if (!memory_)
    return failure(ENOMEM, "no memory for call stubs");
  targets_ = reinterpret_cast<uint64_t *>(memory_ + code_bytes_);
  names_ = reinterpret_cast<const char **>(targets_ + count_);
  args_ = reinterpret_cast<struct nophook_args *>(names_ + count_);
  calls_ = reinterpret_cast<CallStubs *>(args_ + count_);
  char *text = reinterpret_cast<char *>(calls_ + 1);
  for (uint32_t i = 0; i < count_; i++) {
    const Callee &callee = *callees_[i];
    const uint64_t bytes = text_length(callee.name) + 1;
    copy_bytes(text, callee.name, bytes);
    names_[i] = text;
    text += bytes;
    targets_[i] = callee.target;
    Arch::write_call_stub(reinterpret_cast<uint8_t *>(stub(i)), stub(i),
                          reinterpret_cast<uint64_t>(targets_ + i));
    const uint64_t entry = stub(i) + Arch::kCallStubEntry;
    args_[i] = {(int32_t)(entry - reinterpret_cast<uint64_t>(&args_[i].pc)),
                (uint32_t)(Arch::kCallStubBytes - Arch::kCallStubEntry), callee.kind.call,
                callee.kind.prototype};
  }
  if (!make_executable(memory_, code_bytes_)) {
    release();
    return failure(EPERM, "the kernel refuses executable memory for call stubs");
  }
  return {};
}

void StubMemory::fill(Module *module) const {
  module->bias = module->start = start();
  module->end = start() + code_bytes_;
  module->text[0] = {start(), start() + code_bytes_, PROT_READ | PROT_EXEC};
  module->text_count = 1;
  module->loaded = true;
  module->has_looked_aside = true;
  module->side.args = {args_, args_ + count_, 0};
  *calls_ = {names_, targets_};
  module->calls = calls_;
  // Makes the data read-only. If the kernel refuses, it stays writable, as any data is.
  sys(SYS_mprotect, memory_ + code_bytes_, round_up(data_bytes_, kPageBytes), PROT_READ);
}

// One module of stubs for callees of one library.
Status make_module(const Module *caller, Callee **callees, uint32_t count) {
  Array<uint32_t> offsets;
  if (!offsets.reserve(count) || !stubs().reserve(stubs().size() + count))
    return failure(ENOMEM, "no memory for call stubs");
  uint32_t first_id;
  if (!take_ids(count, &first_id))
    return failure(ENOSPC, "there are no ids left for call stubs");
  auto *module = static_cast<Module *>(map_pages(sizeof(Module)));
  if (!module)
    return failure(ENOMEM, "no memory for call stubs");
  StubMemory memory(callees, count);
  Status status = memory.make();
  for (uint32_t i = 0; i < count; i++)
    offsets.append((uint32_t)(i * Arch::kCallStubBytes + Arch::kCallStubSite));
  if (status.ok() && !module->records.build(memory.stub(0), offsets.data(), count)) {
    memory.release();
    status = failure(ENOMEM, "no memory for call stubs");
  }
  if (!status.ok()) {
    unmap_pages(module, sizeof(Module));
    return status;
  }
  memory.fill(module);
  module->first_id = first_id;
  module->ids = count;
  module->prototypes = caller->prototypes;
  Text<sizeof(module->path)> path;
  path.add(callees[0]->library);
  copy_bytes(module->path, path.c_str(), path.size() + 1);
  for (uint32_t i = 0; i < count; i++) {
    if (!Arch::is_site_nop(reinterpret_cast<const uint8_t *>(module->records.ip(i))))
      module->records.state(i) |= kStateForeign; // fill() has written a NOP there
    if (Arch::read_insn(reinterpret_cast<const uint8_t *>(module->records.ip(i))) !=
        Arch::kNopClang)
      module->records.state(i) |= kStateNopGas;
    callees[i]->stub = memory.stub(i) + Arch::kCallStubEntry;
    stubs().append({callees[i]->target, callees[i]->stub, memory.name(i), callees[i]->kind.call});
  }
  sort_stubs();
  publish_module(module);
  return {};
}

bool comes_before(const Callee *a, const Callee *b) {
  if (int order = strcmp(a->library, b->library))
    return order < 0;
  if (int order = strcmp(a->name, b->name))
    return order < 0;
  if (a->target != b->target)
    return a->target < b->target;
  return a->kind.call < b->kind.call;
}

bool is_same(const Callee *a, const Callee *b) {
  return !comes_before(a, b) && !comes_before(b, a);
}

} // namespace

Status make_stubs_of(const Module *caller, Array<Callee> &callees, uint32_t *modules,
                     uint64_t *records) {
  Array<Callee *> missing;
  for (Callee &callee : callees) {
    callee.stub = find_stub(callee);
    if (!callee.stub && !missing.push(&callee))
      return failure(ENOMEM, "no memory for call stubs");
  }
  sort(missing.data(), missing.size(), comes_before);
  uint64_t kept = 0; // number of distinct callees: two slots of one function have one stub
  for (uint64_t i = 0; i < missing.size(); i++)
    if (!kept || !is_same(missing[i], missing[kept - 1]))
      missing[kept++] = missing[i];
  missing.shrink(kept);
  Status status;
  for (uint64_t i = 0, end; i < missing.size() && status.ok(); i = end) {
    for (end = i + 1; end < missing.size() && !strcmp(missing[end]->library, missing[i]->library);)
      end++;
    status = make_module(caller, &missing[i], (uint32_t)(end - i));
    *modules += status.ok();
    *records += status.ok() ? end - i : 0;
  }
  for (Callee &callee : callees)
    if (!callee.stub)
      callee.stub = find_stub(callee);
  return status;
}

uint64_t target_of_stub(uint64_t address) {
  for (const Module *m = first_module(); m; m = m->next)
    if (m->calls && in_text(m, address, 1)) {
      const uint64_t at = address - m->start;
      const uint64_t number = at / Arch::kCallStubBytes;
      return number < m->records.count() && at % Arch::kCallStubBytes == Arch::kCallStubEntry
                 ? m->calls->targets[number]
                 : 0;
    }
  return 0;
}

void forget_types_of(const Module *caller) {
  if (!caller->prototypes.start)
    return;
  for (Module *m = first_module(); m; m = m->next)
    if (m->calls && m->prototypes.start == caller->prototypes.start)
      m->prototypes = {};
}

} // namespace nophook
