// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects the symbols, prototypes and lines of the recorded functions from a module's file.

#include "read/symbols/module_names.h"

#include "read/symbols/debug_file.h"
#include "read/symbols/function_prototypes.h"

#include <algorithm>
#include <filesystem>
#include <llvm/Support/xxhash.h>

namespace nophook {

namespace {

// The largest debug info whose lines are recorded. They are looked up by LLVM, which takes 5 to 10
// bytes of memory for each byte of debug info. A larger file's lines are left out, and come from
// the file where it is still there.
constexpr uint64_t kMostNamedBytes = 256 << 20;
constexpr uint64_t kMostContentBytes = uint64_t{1} << 30;

std::optional<ElfImage> recorded_file(const WantedNames &wanted) {
  auto image = ElfImage::open(wanted.path);
  if (!image || !std::ranges::equal(image->build_id(), wanted.build_id,
                                    [](uint8_t a, char b) { return a == (uint8_t)b; }))
    return std::nullopt;
  return std::move(*image);
}

std::unique_ptr<RecordedNames> identified(const WantedNames &wanted) {
  auto names = std::make_unique<RecordedNames>();
  names->path = wanted.path;
  names->build_id.assign(wanted.build_id.begin(), wanted.build_id.end());
  if (wanted.build_id.empty())
    names->content = content_of_file(wanted.path);
  return names;
}

void add_symbols(const ElfImage &image, const WantedNames &wanted, RecordedNames *names) {
  const SymbolTable symbols = SymbolTable::of(image);
  std::set<uint64_t> added;
  auto add = [&](const Symbol *symbol) {
    if (!symbol || !added.insert(symbol->address).second)
      return;
    Symbol whole = *symbol;
    if (!whole.bytes) // the size is then the distance to the next symbol, which may not be in the
                      // recording
      whole.bytes = symbols.end_of(*symbol) - symbol->address;
    names->add_symbol(whole);
  };
  for (uint32_t site : wanted.sites)
    add(symbols.at_site(site));
  for (uint64_t caller : wanted.callers)
    add(symbols.covering(caller));
}

void add_prototypes(const ElfImage &image, const WantedNames &wanted, RecordedNames *names) {
  const FunctionPrototypes prototypes(image);
  for (uint32_t site : wanted.sites)
    if (const Prototype *prototype = prototypes.at_site(site))
      names->add_prototype(site, *prototype);
  for (const std::string &call : wanted.calls)
    if (const Prototype *prototype = prototypes.of_import(call))
      names->add_import(call, *prototype);
}

void add_lines(const ElfImage &image, const WantedNames &wanted, RecordedNames *names) {
  const auto debug = find_debug_file(image);
  std::error_code unknown;
  if (std::filesystem::file_size(debug ? debug->path() : image.path(), unknown) > kMostNamedBytes)
    return;
  SourceLines lines(image);
  for (uint32_t site : wanted.sites)
    if (const SourceLine &line = lines.at(site); !line.file.empty())
      names->add_line(site, line);
}

} // namespace

uint64_t content_of_file(const std::string &path) {
  auto file = MappedFile::open(path);
  if (!file || file->size() > kMostContentBytes)
    return 0;
  return llvm::xxh3_64bits(llvm::ArrayRef(file->bytes().data(), file->bytes().size()));
}

std::unique_ptr<RecordedNames> names_of_module(const WantedNames &wanted) {
  const auto image = recorded_file(wanted);
  if (!image)
    return nullptr;
  auto names = identified(wanted);
  for (const auto &p : image->segments())
    if (p.p_type == llvm::ELF::PT_LOAD)
      names->ranges.push_back({p.p_vaddr, p.p_vaddr + p.p_memsz});
  add_symbols(*image, wanted, names.get());
  if (!wanted.sites.empty()) {
    add_prototypes(*image, wanted, names.get());
    add_lines(*image, wanted, names.get());
  }
  return names->empty() && !names->content ? nullptr : std::move(names);
}

std::unique_ptr<RecordedNames> identity_of_module(const WantedNames &wanted) {
  if (!wanted.build_id.empty() || !recorded_file(wanted))
    return nullptr;
  return identified(wanted);
}

} // namespace nophook
