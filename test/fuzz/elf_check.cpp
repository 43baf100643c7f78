// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The claim that must hold for any object: it is refused, or the output is an object again, has exactly the sites that
// were found, leaves nothing more to do, and links if the input did.

#include "elf_fuzz.h"

#include "archive.h"
#include "editor.h"
#include "record.h"
#include "sort.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

namespace nophook {

using namespace recordmcount;

namespace {

using Image = std::vector<uint8_t>;

llvm::StringRef text_of(const Image &image) {
  return {reinterpret_cast<const char *>(image.data()), image.size()};
}

// By a reader that is not ours: every section, symbol and relocation can be had.
void demand_readable(llvm::StringRef image) {
  auto object = llvm::object::ELFObjectFile<Elf>::create({image, "output"});
  demand(bool(object), "the output is no object: " + llvm::toString(object.takeError()));
  for (const llvm::object::ELFSectionRef section : object->sections()) {
    demand(bool(section.getName()), "a section of the output has no name");
    if (section.getType() == llvm::ELF::SHT_NULL)
      continue; // whatever its fields say
    auto contents = section.getContents();
    if (!contents)
      demand(false, "a section of the output: " + llvm::toString(contents.takeError()));
  }
  for (const auto &section : llvm::cantFail(object->getELFFile().sections()))
    if (section.sh_type == llvm::ELF::SHT_SYMTAB)
      demand(bool(object->getELFFile().symbols(&section)), "symbols of the output");
}

bool links(llvm::StringRef lld, llvm::StringRef image, std::string &why) {
  llvm::SmallString<128> input, output, messages;
  int fd;
  if (llvm::sys::fs::createTemporaryFile("fuzz", "o", fd, input))
    return true;
  llvm::raw_fd_ostream(fd, /*shouldClose=*/true) << image;
  output = input;
  output += ".linked";
  messages = input;
  messages += ".log";
  const llvm::FileRemover remove_input(input), remove_output(output), remove_messages(messages);
  const std::optional<llvm::StringRef> redirects[] = {"", messages.str(), messages.str()};
  const int status = llvm::sys::ExecuteAndWait(lld, {lld, "-r", input, "-o", output}, std::nullopt,
                                               redirects, /*SecondsToWait=*/20);
  if (auto log = llvm::MemoryBuffer::getFile(messages))
    why = (*log)->getBuffer();
  return status == 0;
}

// Links one input of NOPHOOK_FUZZ_LLD_EVERY, chosen by its bytes: the same input is tried again when it is replayed.
void demand_links(llvm::StringRef before, llvm::StringRef after) {
  static const char *lld = getenv("NOPHOOK_FUZZ_LLD");
  static const char *every = getenv("NOPHOOK_FUZZ_LLD_EVERY");
  if (!lld || llvm::hash_value(after) % (every ? std::max(atoi(every), 1) : 1))
    return;
  std::string why, why_before;
  if (!links(lld, after, why) && links(lld, before, why_before))
    demand(false, "the input links and the output does not: " + why);
}

std::vector<std::string> places(const Record &record) {
  std::vector<std::string> places;
  for (const ListedSite &site : record.list)
    places.push_back(site.place);
  return places;
}

// Each change of what is written must be what `verify` finds, and the last one.
void check_output(const Record &record, llvm::StringRef before, RecordOptions options) {
  const llvm::StringRef after = text_of(*record.image);
  demand_readable(after);
  options.verify = true;
  auto again = record_object(after, options);
  if (!again)
    demand(false, "the output is refused: " + llvm::toString(again.takeError()));
  demand(places(*again) == places(record), "the output has other sites");
  demand(again->new_sites == 0 && !again->image, "the output is not finished");
  demand_links(before, after);
}

bool check_object(llvm::StringRef image) {
  bool written = false;
  for (int combination = 0; combination < 4; combination++) {
    RecordOptions options;
    options.keep_calls = combination & 1;
    options.descriptors = combination & 2;
    options.list = true;
    auto record = record_object(image, options);
    if (!record) {
      llvm::consumeError(record.takeError());
      continue;
    }
    options.verify = true;
    auto verified = record_object(image, options);
    if (!verified)
      demand(false, "its own output is refused: " + llvm::toString(verified.takeError()));
    demand(verified->image == record->image, "two runs differ");
    if (!record->image)
      continue;
    written = true;
    check_output(*record, image, options);
    if (options.keep_calls) {
      RecordOptions again = options;
      again.keep_calls = false;
      auto later = record_object(text_of(*record->image), again);
      if (!later)
        demand(false,
               "static calls cannot be turned into NOPs: " + llvm::toString(later.takeError()));
      demand(places(*later) == places(*record), "static calls are at other places");
    }
  }
  return written;
}

bool check_linked(llvm::StringRef image) {
  auto sorted = sort_table(image);
  if (!sorted) {
    llvm::consumeError(sorted.takeError());
    return false;
  }
  if (!sorted->image)
    return false;
  demand(sorted->image->size() == image.size(), "sorting changes the size");
  auto again = sort_table(text_of(*sorted->image));
  if (!again)
    demand(false, "what was sorted is refused: " + llvm::toString(again.takeError()));
  demand(!again->image && again->sites == sorted->sites, "what was sorted is not");
  return true;
}

} // namespace

void demand(bool holds, const llvm::Twine &what) {
  if (holds)
    return;
  llvm::errs() << "elf fuzz: " << what << "\n";
  abort();
}

bool check_image(const uint8_t *bytes, size_t size) {
  const llvm::StringRef image(reinterpret_cast<const char *>(bytes), size);
  if (is_archive(image))
    return check_archive(image);
  const bool written = check_object(image);
  return check_linked(image) || written;
}

} // namespace nophook
