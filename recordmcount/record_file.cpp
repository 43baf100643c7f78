// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "record_file.h"
#include "archive.h"
#include "input_file.h"
#include "replace_file.h"
#include "sort.h"

#include "llvm/Support/MemoryBuffer.h"

namespace nophook::recordmcount {
namespace {

using llvm::Error;
using llvm::Expected;

llvm::StringRef text_of(const std::vector<uint8_t> &bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

class Recorder {
public:
  explicit Recorder(const Arguments &arguments) : arguments_(arguments) {}

  Error record(const std::string &path, Outcome &outcome) const {
    const std::string &target = arguments_.output.empty() ? path : arguments_.output;
    if (std::string problem = input_problem(path); !problem.empty())
      return error_in(path, problem);
    // The file is read, not mapped: threads would wait for each other at the one address space.
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/true,
                                              /*IsVolatile=*/true);
    if (!buffer)
      return error_in(path, "cannot be read: " + buffer.getError().message());
    if (arguments_.sort)
      return sort(path, target, **buffer, outcome);
    const std::string prefix = arguments_.files.size() > 1 ? path + ": " : "";
    return is_archive((*buffer)->getBuffer()) ? archive(path, target, **buffer, prefix, outcome)
                                              : object(path, target, **buffer, prefix, outcome);
  }

private:
  Error sort(const std::string &path, const std::string &target, const llvm::MemoryBuffer &buffer,
             Outcome &outcome) const {
    auto sorted = sort_table(buffer.getBuffer());
    if (!sorted)
      return error_in(path, llvm::toString(sorted.takeError()));
    outcome.objects++;
    outcome.sites += sorted->sites;
    return write(path, target, sorted->image ? text_of(*sorted->image) : buffer.getBuffer(),
                 sorted->image.has_value(), outcome);
  }

  Error object(const std::string &path, const std::string &target, const llvm::MemoryBuffer &buffer,
               const std::string &prefix, Outcome &outcome) const {
    auto result = record_object(buffer.getBuffer(), arguments_.record);
    if (!result)
      return error_in(path, llvm::toString(result.takeError()));
    outcome.add(*result, prefix);
    return write(path, target, result->image ? text_of(*result->image) : buffer.getBuffer(),
                 result->image.has_value(), outcome);
  }

  Error archive(const std::string &path, const std::string &target,
                const llvm::MemoryBuffer &buffer, const std::string &prefix,
                Outcome &outcome) const {
    ArchiveEdits edits;
    edits.whole = target != path; // -o writes one file
    edits.member =
        [&](llvm::MemoryBufferRef member) -> Expected<std::unique_ptr<llvm::MemoryBuffer>> {
      auto result = record_object(member.getBuffer(), arguments_.record);
      if (!result)
        return result.takeError();
      outcome.add(*result, prefix + "(" + member.getBufferIdentifier().str() + ") ");
      if (!result->image)
        return nullptr;
      return llvm::MemoryBuffer::getMemBufferCopy(text_of(*result->image),
                                                  member.getBufferIdentifier());
    };
    edits.replace_file = [&](const std::string &member, llvm::StringRef bytes) -> Error {
      Outcome of_member;
      return write(member, member, bytes, /*changed=*/true, of_member);
    };
    auto edited = edit_archive(buffer.getMemBufferRef(), edits);
    if (!edited)
      return error_in(path, llvm::toString(edited.takeError()));
    return write(path, target, *edited ? (*edited)->getBuffer() : buffer.getBuffer(),
                 *edited != nullptr, outcome);
  }

  Error write(const std::string &path, const std::string &target, llvm::StringRef bytes,
              bool changed, Outcome &outcome) const {
    outcome.changed = changed;
    if (arguments_.dry_run || (!changed && target == path))
      return Error::success();
    return replace_file(target, path, bytes, {target == path, arguments_.fsync});
  }

  const Arguments &arguments_;
};

} // namespace

Outcome record_file(const Arguments &arguments, const std::string &path) {
  Outcome outcome;
  if (Error error = Recorder(arguments).record(path, outcome))
    outcome.error = llvm::toString(std::move(error));
  return outcome;
}

} // namespace nophook::recordmcount
