// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "archive.h"
#include "analysis/object.h"
#include "input_file.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Path.h"

#include <cstring>

namespace nophook::recordmcount {

using namespace analysis;

namespace {

using llvm::Error;
using llvm::Expected;
using llvm::object::Archive;
using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

constexpr uint64_t kMagicBytes = 8;

Error in_member(llvm::StringRef name, Error error) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "(" + name + "): " + llvm::toString(std::move(error)));
}

// Checks the sizes in headers. LLVM believes them as soon as it opens an archive, and reads outside
// of it.
Error check_bounds(llvm::StringRef image) {
  const bool is_thin = is_thin_archive(image);
  auto problem = [](uint64_t at, llvm::StringRef what) {
    return error_in("member at offset " + llvm::Twine(at), what);
  };
  for (uint64_t at = kMagicBytes; at < image.size();) {
    const uint64_t start = at;
    llvm::object::UnixArMemHdrType header;
    if (image.size() - at < sizeof header)
      return problem(start, "is cut off");
    std::memcpy(&header, image.data() + at, sizeof header);
    at += sizeof header;
    llvm::StringRef name = llvm::StringRef(header.Name, sizeof header.Name).split(' ').first;
    const llvm::StringRef digits = llvm::StringRef(header.Size, sizeof header.Size).rtrim(' ');
    const bool has_name_behind = name.starts_with("#1/"); // BSD's form, never in a thin archive
    uint64_t bytes, name_bytes = 0;
    if (digits.getAsInteger(10, bytes) || (is_thin && has_name_behind) ||
        (has_name_behind && name.drop_front(3).getAsInteger(10, name_bytes)))
      return problem(start, "has a damaged header");
    if (is_thin && name != "/" && name != "//" && name != "/SYM64/")
      continue; // its bytes are in another file
    if (bytes > image.size() - at)
      return problem(start, "is cut off");
    if (name_bytes > bytes)
      return problem(start, "has a damaged header");
    at += bytes + bytes % 2;
  }
  return Error::success();
}

Expected<Buffer> edit_child(const Archive::Child &child, const ArchiveEdits &edits) {
  auto name = child.getName();
  if (!name)
    return name.takeError();
  auto buffer = child.getMemoryBufferRef();
  if (!buffer)
    return in_member(*name, buffer.takeError());
  if (llvm::identify_magic(buffer->getBuffer()) != llvm::file_magic::elf_relocatable)
    return nullptr; // a note, a script, bitcode: left alone
  auto edited = edits.member(*buffer);
  if (!edited)
    return in_member(*name, edited.takeError());
  return edited;
}

// The new bytes of each member, null for the members that stay.
Expected<std::vector<Buffer>> edit_children(const Archive &archive, const ArchiveEdits &edits) {
  std::vector<Buffer> replacements;
  Error error = Error::success();
  for (const Archive::Child &child : archive.children(error)) {
    auto edited = edit_child(child, edits);
    if (!edited) {
      llvm::consumeError(std::move(error));
      return edited.takeError();
    }
    replacements.push_back(std::move(*edited));
  }
  if (error)
    return error;
  return replacements;
}

Error replace_files(const Archive &archive, const std::vector<Buffer> &replacements,
                    const ArchiveEdits &edits) {
  Error error = Error::success();
  size_t number = 0;
  for (const Archive::Child &child : archive.children(error)) {
    const Buffer &replacement = replacements[number++];
    if (!replacement)
      continue;
    auto path = child.getFullName();
    Error problem = path ? edits.replace_file(*path, replacement->getBuffer()) : path.takeError();
    if (problem) {
      llvm::consumeError(std::move(error));
      return problem;
    }
  }
  return error;
}

Expected<std::vector<std::string>> names_of(const Archive &archive) {
  std::vector<std::string> names;
  Error error = Error::success();
  for (const Archive::Child &child : archive.children(error)) {
    auto name = child.getName();
    if (!name) {
      llvm::consumeError(std::move(error));
      return name.takeError();
    }
    names.push_back(name->str());
  }
  if (error)
    return error;
  return names;
}

// Checks the symbols of a member. LLVM's writer lists them, and ends the process at a table that it
// cannot read.
template <class Format> Error check_symbols(llvm::StringRef bytes) {
  auto file = llvm::object::ELFFile<Format>::create(bytes);
  if (!file)
    return file.takeError();
  auto sections = file->sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    auto symbols = file->symbols(&section);
    if (!symbols)
      return symbols.takeError();
    auto strings = file->getStringTableForSymtab(section, *sections);
    if (!strings)
      return strings.takeError();
    for (const auto &symbol : *symbols)
      if (auto name = symbol.getName(*strings); !name)
        return name.takeError();
  }
  return Error::success();
}

Error check_member(llvm::StringRef bytes) {
  namespace object = llvm::object;
  const llvm::file_magic magic = llvm::identify_magic(bytes);
  if (magic == llvm::file_magic::unknown || magic == llvm::file_magic::bitcode)
    return Error::success();
  if (!bytes.starts_with(llvm::StringRef(llvm::ELF::ElfMagic, 4)))
    return llvm::createStringError("has a member that is neither ELF nor bitcode");
  const auto [bits, order] = object::getElfArchType(bytes);
  const bool is_little = order == llvm::ELF::ELFDATA2LSB;
  if (bits == llvm::ELF::ELFCLASS64)
    return is_little ? check_symbols<object::ELF64LE>(bytes)
                     : check_symbols<object::ELF64BE>(bytes);
  return is_little ? check_symbols<object::ELF32LE>(bytes) : check_symbols<object::ELF32BE>(bytes);
}

// Checks the members of a thin archive. They are files by themselves, which LLVM reads as soon as a
// member is used.
Error check_files(const Archive &archive) {
  if (!archive.isThin())
    return Error::success();
  Error error = Error::success();
  for (const Archive::Child &child : archive.children(error)) {
    auto path = child.getFullName();
    std::string problem = path ? input_problem(*path) : llvm::toString(path.takeError());
    if (!problem.empty()) {
      llvm::consumeError(std::move(error));
      return in_member(path ? llvm::StringRef(*path) : "?",
                       llvm::createStringError(llvm::Twine(problem)));
    }
  }
  return error;
}

Error check_members(const Archive &archive) {
  if (!archive.hasSymbolTable())
    return Error::success();
  Error error = Error::success();
  for (const Archive::Child &child : archive.children(error)) {
    auto bytes = child.getBuffer();
    if (!bytes) {
      llvm::consumeError(std::move(error));
      return bytes.takeError();
    }
    if (Error bad = check_member(*bytes)) {
      llvm::consumeError(std::move(error));
      return llvm::createStringError("has a member whose symbols cannot be read: " +
                                     llvm::toString(std::move(bad)));
    }
  }
  return error;
}

// Checks that all names can be written. Not each name that can be read can be: a slash or an end of
// line within it cannot.
Error check_names(const Archive &before, llvm::MemoryBufferRef image) {
  auto after = Archive::create(image);
  if (!after)
    return after.takeError();
  auto old_names = names_of(before), names = names_of(**after);
  const bool is_same = old_names && names && *old_names == *names;
  llvm::consumeError(old_names.takeError());
  llvm::consumeError(names.takeError());
  return is_same ? Error::success()
                 : llvm::createStringError("has a member with a name that cannot be written");
}

Expected<Buffer> write_archive(const Archive &archive, std::vector<Buffer> &replacements,
                               bool becomes_whole = false) {
  const bool is_thin = archive.isThin() && !becomes_whole;
  std::vector<llvm::NewArchiveMember> members;
  Error error = Error::success();
  for (const Archive::Child &child : archive.children(error)) {
    auto member = llvm::NewArchiveMember::getOldMember(child, /*Deterministic=*/false);
    if (!member) {
      llvm::consumeError(std::move(error));
      return member.takeError();
    }
    if (Buffer &replacement = replacements[members.size()]; replacement && !is_thin) {
      member->Buf = std::move(replacement);
      member->MemberName = member->Buf->getBufferIdentifier();
    }
    if (becomes_whole) // its names were paths
      member->MemberName = llvm::sys::path::filename(member->MemberName);
    members.push_back(std::move(*member));
  }
  if (error)
    return error;
  const auto symbols = archive.hasSymbolTable() ? llvm::SymtabWritingMode::NormalSymtab
                                                : llvm::SymtabWritingMode::NoSymtab;
  auto written = llvm::writeArchiveToBuffer(members, symbols, archive.kind(),
                                            /*Deterministic=*/true, is_thin);
  if (written && !becomes_whole)
    if (Error error = check_names(archive, **written))
      return error;
  return written;
}

} // namespace

bool is_thin_archive(llvm::StringRef image) {
  return image.starts_with("!<thin>\n");
}

bool is_archive(llvm::StringRef image) {
  return image.starts_with("!<arch>\n") || is_thin_archive(image);
}

Expected<Buffer> edit_archive(llvm::MemoryBufferRef image, const ArchiveEdits &edits) {
  if (Error error = check_bounds(image.getBuffer()))
    return error;
  auto archive = Archive::create(image);
  if (!archive)
    return archive.takeError();
  if ((*archive)->kind() == Archive::K_COFF)
    return llvm::createStringError("is an archive of COFF objects");
  if (Error error = check_files(**archive))
    return error;
  if (Error error = check_members(**archive))
    return error;
  auto replacements = edit_children(**archive, edits);
  if (!replacements)
    return replacements.takeError();
  const bool becomes_whole = edits.whole && (*archive)->isThin();
  if (becomes_whole)
    return write_archive(**archive, *replacements, becomes_whole);
  if (llvm::none_of(*replacements, [](const Buffer &buffer) { return buffer != nullptr; }))
    return nullptr;
  if (!(*archive)->isThin())
    return write_archive(**archive, *replacements);
  if (Error error = replace_files(**archive, *replacements, edits))
    return error;
  // The archive is read again: its members have their new sizes on disk.
  auto fresh = Archive::create(image);
  if (!fresh)
    return fresh.takeError();
  return write_archive(**fresh, *replacements);
}

} // namespace nophook::recordmcount
