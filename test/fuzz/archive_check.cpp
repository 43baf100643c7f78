// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The claim that must hold for any archive: it is refused, or the output is an archive again, of the same members in
// the same order, each as recordmcount writes it when it is alone.

#include "elf_fuzz.h"

#include "archive.h"
#include "record.h"

#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Object/Archive.h"

namespace nophook {

using namespace recordmcount;

namespace {

using llvm::Error;
using llvm::Expected;
using llvm::object::Archive;
using Buffer = std::unique_ptr<llvm::MemoryBuffer>;

Expected<Buffer> edit_member(llvm::MemoryBufferRef member) {
  auto record = record_object(member.getBuffer(), {});
  if (!record)
    return record.takeError();
  if (!record->image)
    return nullptr;
  const llvm::StringRef bytes(reinterpret_cast<const char *>(record->image->data()),
                              record->image->size());
  return llvm::MemoryBuffer::getMemBufferCopy(bytes, member.getBufferIdentifier());
}

// Members of a thin archive are looked for in the working folder, and stay as they are.
Expected<Buffer> edit(llvm::StringRef image) {
  ArchiveEdits edits;
  edits.member = edit_member;
  edits.replace_file = [](const std::string &, llvm::StringRef) { return Error::success(); };
  return edit_archive({image, "fuzz.a"}, edits);
}

struct Member {
  std::string name, bytes;
};

std::vector<Member> members_of(llvm::StringRef image) {
  auto archive = Archive::create({image, "fuzz.a"});
  if (!archive)
    demand(false, "it is no archive: " + llvm::toString(archive.takeError()));
  std::vector<Member> members;
  Error error = Error::success();
  for (const Archive::Child &child : (*archive)->children(error)) {
    auto buffer = child.getMemoryBufferRef();
    if (!buffer)
      demand(false, "a member cannot be read: " + llvm::toString(buffer.takeError()));
    members.push_back({buffer->getBufferIdentifier().str(), buffer->getBuffer().str()});
  }
  if (error)
    demand(false, "the members: " + llvm::toString(std::move(error)));
  return members;
}

void demand_recorded(const Member &before, const Member &after) {
  std::string expected = before.bytes;
  if (llvm::identify_magic(before.bytes) == llvm::file_magic::elf_relocatable) {
    auto alone = edit_member({before.bytes, before.name});
    if (!alone)
      demand(false, "a member is refused alone: " + llvm::toString(alone.takeError()));
    if (*alone)
      expected = (*alone)->getBuffer();
  }
  demand(before.name == after.name, "a member has another name");
  demand(expected == after.bytes, "a member is not what it is alone");
}

} // namespace

bool check_archive(llvm::StringRef image) {
  auto edited = edit(image);
  if (!edited) {
    llvm::consumeError(edited.takeError());
    return false;
  }
  if (!*edited)
    return false;
  if (is_thin_archive(image))
    return true;
  const std::vector<Member> before = members_of(image), after = members_of((*edited)->getBuffer());
  demand(before.size() == after.size(), "the number of members");
  for (size_t i = 0; i < before.size(); i++)
    demand_recorded(before[i], after[i]);
  auto again = edit((*edited)->getBuffer());
  if (!again)
    demand(false, "the output is refused: " + llvm::toString(again.takeError()));
  demand(!*again, "the output is not finished");
  return true;
}

} // namespace nophook
