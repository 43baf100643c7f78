// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "archive.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/ArchiveWriter.h"

namespace nophook {
namespace {

using llvm::Error;
using llvm::Expected;
using llvm::object::Archive;

Error in_member(llvm::StringRef name, Error error) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "(" + name + "): " + llvm::toString(std::move(error)));
}

Expected<bool> edit_child(const Archive::Child &child, bool is_thin, const ArchiveEdits &edits,
                          std::unique_ptr<llvm::MemoryBuffer> &replacement) {
  auto name = child.getName();
  if (!name)
    return name.takeError();
  if (is_thin) {
    auto path = child.getFullName();
    if (!path)
      return in_member(*name, path.takeError());
    return edits.file(*path);
  }
  auto buffer = child.getMemoryBufferRef();
  if (!buffer)
    return in_member(*name, buffer.takeError());
  if (llvm::identify_magic(buffer->getBuffer()) != llvm::file_magic::elf_relocatable)
    return false; // a note, a script, bitcode: it is not ours to judge
  auto edited = edits.member(*buffer);
  if (!edited)
    return in_member(*name, edited.takeError());
  replacement = std::move(*edited);
  return replacement != nullptr;
}

} // namespace

bool is_archive(llvm::StringRef image) {
  return image.starts_with("!<arch>\n") || image.starts_with("!<thin>\n");
}

Expected<std::unique_ptr<llvm::MemoryBuffer>> edit_archive(llvm::MemoryBufferRef image,
                                                           const ArchiveEdits &edits) {
  auto archive = Archive::create(image);
  if (!archive)
    return archive.takeError();
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> replacements;
  bool changed = false;
  Error error = Error::success();
  for (const Archive::Child &child : (*archive)->children(error)) {
    replacements.push_back(nullptr);
    auto edited = edit_child(child, (*archive)->isThin(), edits, replacements.back());
    if (!edited) {
      llvm::consumeError(std::move(error));
      return edited.takeError();
    }
    changed |= *edited;
  }
  if (error)
    return error;
  if (!changed)
    return nullptr;

  // Only now: a thin archive's member has its new size on disk.
  auto fresh = Archive::create(image);
  if (!fresh)
    return fresh.takeError();
  std::vector<llvm::NewArchiveMember> members;
  for (const Archive::Child &child : (*fresh)->children(error)) {
    auto member = llvm::NewArchiveMember::getOldMember(child, /*Deterministic=*/false);
    if (!member) {
      llvm::consumeError(std::move(error));
      return member.takeError();
    }
    if (auto &replacement = replacements[members.size()]) {
      member->Buf = std::move(replacement);
      member->MemberName = member->Buf->getBufferIdentifier();
    }
    members.push_back(std::move(*member));
  }
  if (error)
    return error;
  const auto symbols = (*fresh)->hasSymbolTable() ? llvm::SymtabWritingMode::NormalSymtab
                                                  : llvm::SymtabWritingMode::NoSymtab;
  return llvm::writeArchiveToBuffer(members, symbols, (*fresh)->kind(), /*Deterministic=*/true,
                                    (*fresh)->isThin());
}

} // namespace nophook
