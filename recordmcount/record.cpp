// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "record.h"
#include "analysis/descriptors.h"
#include "editor.h"
#include "nophook/site.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace nophook::recordmcount {
namespace {

using llvm::Error;
using llvm::Expected;

std::vector<Attachment> site_tables(const Object &object, const Plan &plan) {
  const uint32_t relocation = object.machine().relocations.absolute;
  std::vector<Attachment> attachments;
  for (const NewTable &table : plan.tables) {
    Attachment attachment{NOPHOOK_MCOUNT_SECTION, table.section, 8, {}, {}};
    attachment.bytes.resize(table.sites.size() * sizeof(uint64_t));
    for (uint64_t site : table.sites)
      attachment.relocations.push_back(
          {attachment.relocations.size() * sizeof(uint64_t), relocation, site});
    attachments.push_back(std::move(attachment));
  }
  return attachments;
}

std::vector<ListedSite> list_sites(const Object &object, const Functions &functions,
                                   const Plan &plan) {
  std::vector<ListedSite> list;
  for (const Site &site : plan.sites) {
    const Function *function = functions.around(site.section, site.offset);
    list.push_back({llvm::formatv("{0}+{1:x}", object.name(site.section), site.offset),
                    function ? object.symbol_name(object.symbols()[function->symbol]).str() : ""});
  }
  return list;
}

// Counts functions with a NOP that no table has. gcc's -mnop-mcount alone writes NOPs without a
// list of their places, which needs -mrecord-mcount. Their bytes alone do not make them sites, but
// a message reports them if there are no others.
uint64_t count_unnamed_nops(const Object &object, const Functions &functions) {
  const Machine &machine = object.machine();
  const Bytes prologue = machine.unlisted_prologue;
  if (prologue.empty())
    return 0; // gcc has neither option there
  return llvm::count_if(functions.all(), [&](const Function &function) {
    const Elf::Shdr &section = object.sections()[function.section];
    if (section.sh_type != llvm::ELF::SHT_PROGBITS || function.start >= section.sh_size)
      return false;
    const Bytes code = object.contents(function.section);
    uint64_t at = entry_of(machine, code, function.start);
    if (at < code.size() && code.drop_front(at).take_front(prologue.size()).equals(prologue))
      at += prologue.size();
    return machine.nop_bytes(code, at) == machine.site_bytes;
  });
}

// Checks the result: read again, it must have the planned sites, and leave nothing to do.
Error verify(const Plan &plan, llvm::StringRef image, PlanOptions options) {
  Expected<Object> object = Object::parse(image);
  if (!object)
    return error_in("verify", llvm::toString(object.takeError()));
  Expected<Plan> again = make_plan(*object, Functions(*object), options);
  if (!again)
    return error_in("verify", llvm::toString(again.takeError()));
  const bool same = llvm::equal(plan.sites, again->sites, [](const Site &a, const Site &b) {
    return a.section == b.section && a.offset == b.offset;
  });
  if (!same || !again->tables.empty())
    return error_in("verify", llvm::formatv("{0} sites were to be recorded, {1} are",
                                            plan.sites.size(), again->sites.size()));
  return Error::success();
}

} // namespace

Expected<Record> record_object(llvm::StringRef image, const RecordOptions &options) {
  Expected<Object> object = Object::parse(image);
  if (!object)
    return object.takeError();
  const Functions functions(*object);
  const PlanOptions plan_options{options.keep_calls};
  Expected<Plan> plan = make_plan(*object, functions, plan_options);
  if (!plan)
    return plan.takeError();

  Record record;
  record.objects = 1;
  record.sites = plan->sites.size();
  record.new_sites = llvm::count_if(plan->sites, [](const Site &site) { return site.is_new; });
  record.repaired_tables = plan->repaired_tables;
  if (plan->sites.empty())
    record.unnamed_nops = count_unnamed_nops(*object, functions);
  if (options.list)
    record.list = list_sites(*object, functions, *plan);
  std::vector<Attachment> attachments = site_tables(*object, *plan);
  std::vector<CodePlace> places;
  for (const Site &site : plan->sites)
    places.push_back({site.section, site.offset});
  Descriptors descriptors = describe_functions(*object, functions, places, options.descriptors);
  record.described = descriptors.functions;
  record.entry_only = descriptors.entry_only;
  llvm::append_range(attachments, std::move(descriptors.tables));
  if (plan->changes_anything() || !attachments.empty()) {
    auto edited = edit(*object, *plan, attachments, descriptors.records);
    if (!edited)
      return edited.takeError();
    record.image = std::move(*edited);
  }
  if (options.verify) {
    const llvm::StringRef result =
        record.image ? llvm::StringRef(reinterpret_cast<const char *>(record.image->data()),
                                       record.image->size())
                     : image;
    if (Error error = verify(*plan, result, plan_options))
      return error;
  }
  return record;
}

} // namespace nophook::recordmcount
