// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cache of recorded copies: keys, locks, and removal of old copies.

#include "build/cc/recorded_objects.h"

#include "build/cc/other_program.h"
#include "foundation/installation.h"
#include "foundation/output.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/Archive.h>
#include <llvm/Support/BLAKE3.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace nophook {

namespace fs = std::filesystem;

namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kDefaultBound = 2048 * kMiB;
constexpr const char *kAside = ".new-"; // start of the name of a folder that is not complete

uint64_t bound_in_bytes() {
  const char *value = std::getenv("NOPHOOK_CACHE_SIZE");
  char *end = nullptr;
  const uint64_t number = value ? std::strtoull(value, &end, 10) : 0;
  return value && end != value && !*end ? number * kMiB : kDefaultBound;
}

std::string cache_folder() {
  const char *cache = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (cache && *cache == '/')
    return std::string(cache) + "/nophook/link";
  return home && *home == '/' ? std::string(home) + "/.cache/nophook/link" : "";
}

llvm::StringRef text_of(const MappedFile &file) {
  return {reinterpret_cast<const char *>(file.bytes().data()), file.bytes().size()};
}

// Whether an object may have sites: every object with a site has one of these texts, the name of a
// section or of a symbol. Without them, nothing else need be read.
bool may_have_sites(llvm::StringRef bytes) {
  for (const llvm::StringRef text : {"mcount", "__fentry__", "__patchable_function_entries"})
    if (::memmem(bytes.data(), bytes.size(), text.data(), text.size()))
      return true;
  return false;
}

// Adds the members of a thin archive, which are other files.
bool add_members(const std::string &path, llvm::StringRef bytes, llvm::BLAKE3 *hash) {
  auto archive = llvm::object::Archive::create(llvm::MemoryBufferRef(bytes, path));
  if (!archive)
    return llvm::consumeError(archive.takeError()), false;
  llvm::Error error = llvm::Error::success();
  bool is_complete = true;
  for (const auto &child : (*archive)->children(error)) {
    auto name = child.getFullName();
    auto member = name ? MappedFile::open(*name) : Result<MappedFile>(Error{});
    llvm::consumeError(name.takeError());
    if ((is_complete = bool(member)))
      hash->update(text_of(*member));
    else
      break;
  }
  const bool is_whole = !error && is_complete;
  llvm::consumeError(std::move(error));
  return is_whole;
}

// The identity of a recordmcount: another one makes other copies.
std::string identity_of(const std::string &program) {
  struct stat status = {};
  (void)::stat(program.c_str(), &status); // a missing one makes no copies
  return fmt::format("{} {} {} {}", program, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

Result<FileDescriptor> lock_folder(const std::string &folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  FileDescriptor lock(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  // A folder of another user, or a file system that is read-only: to make a folder tries both.
  std::string aside = folder + "/" + kAside + "XXXXXX";
  if (!lock.valid() || !::mkdtemp(aside.data()))
    return system_error(folder, "cannot be written");
  ::rmdir(aside.c_str());
  return lock;
}

} // namespace

struct RecordedObjects::Wanted {
  const LinkerInput *input;
  std::string key;    // name of its folder; empty: the input is linked as it is
  std::string result; // path of the file to link
};

Result<RecordedObjects> RecordedObjects::open() {
  RecordedObjects objects;
  objects.folder_ = cache_folder();
  auto lock =
      objects.folder_.empty() ? Result<FileDescriptor>(Error{}) : lock_folder(objects.folder_);
  if (!lock) {
    const char *temporary = std::getenv("TMPDIR");
    objects.folder_ = std::string(temporary ? temporary : "/tmp") + "/nophook-link-XXXXXX";
    if (!::mkdtemp(objects.folder_.data()))
      return system_error(objects.folder_, "no folder can be made");
    objects.is_own_ = true;
    return objects;
  }
  objects.lock_ = std::move(*lock);
  // A command that is alone removes old copies. Other links need theirs until they end.
  if (::flock(objects.lock_.get(), LOCK_EX | LOCK_NB) == 0)
    objects.shrink();
  while (::flock(objects.lock_.get(), LOCK_SH) != 0 && errno == EINTR) {
  }
  return objects;
}

void RecordedObjects::shrink() const {
  struct Folder {
    fs::path path;
    timespec used;
    uint64_t bytes;
  };
  std::error_code error;
  std::vector<Folder> folders;
  uint64_t all = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder_, error)) {
    struct stat status;
    if (!entry.is_directory(error) || ::stat(entry.path().c_str(), &status) != 0)
      continue;
    if (entry.path().filename().string().starts_with(kAside)) {
      fs::remove_all(entry.path(), error);
      continue;
    }
    uint64_t bytes = 4096; // size of an empty folder, too
    for (const fs::directory_entry &file : fs::directory_iterator(entry.path(), error))
      bytes += file.file_size(error);
    folders.push_back({entry.path(), status.st_mtim, bytes});
    all += bytes;
  }
  std::ranges::sort(folders, {}, [](const Folder &folder) {
    return std::pair(folder.used.tv_sec, folder.used.tv_nsec);
  });
  for (const Folder &folder : folders) {
    if (all <= bound_in_bytes())
      break;
    fs::remove_all(folder.path, error);
    all -= folder.bytes;
  }
}

Result<> RecordedObjects::record(const Wanted &wanted) const {
  auto recordmcount = find_recordmcount();
  NOPHOOK_TRY(recordmcount);
  std::string aside = folder_ + "/" + kAside + "XXXXXX";
  if (!::mkdtemp(aside.data()))
    return system_error(folder_, "no folder can be made");
  std::error_code error;
  const std::string &path = wanted.input->path;
  const std::string copy = aside + "/" + fs::path(path).filename().string();
  if (run({*recordmcount, "--quiet", "-o", copy, "--", path}) != 0) {
    fs::remove_all(aside, error);
    return error_at(path, "cannot be traced");
  }
  auto before = MappedFile::open(path), after = MappedFile::open(copy);
  if (before && after && !wanted.input->is_thin && text_of(*before) == text_of(*after))
    fs::remove(copy, error);
  // Another link may have been faster, with the same bytes.
  if (::rename(aside.c_str(), (folder_ + "/" + wanted.key).c_str()) != 0)
    fs::remove_all(aside, error);
  return Nothing();
}

Result<std::vector<std::string>> RecordedObjects::of(const std::vector<LinkerInput> &inputs) {
  auto recordmcount = find_recordmcount();
  NOPHOOK_TRY(recordmcount);
  const std::string identity = identity_of(*recordmcount);
  std::vector<Wanted> all(inputs.size());
  auto each = [&](auto &&action) {
    std::atomic<size_t> next = 0;
    auto work = [&] {
      for (size_t i; (i = next++) < all.size();)
        action(all[i]);
    };
    std::vector<std::jthread> others;
    for (size_t i = 1; i < std::min<size_t>(all.size(), std::thread::hardware_concurrency()); i++)
      others.emplace_back(work);
    work();
  };
  for (size_t i = 0; i < inputs.size(); i++)
    all[i] = {&inputs[i], "", inputs[i].path};
  each([&](Wanted &wanted) {
    auto file = MappedFile::open(wanted.input->path);
    if (!file || (!wanted.input->is_thin && !may_have_sites(text_of(*file))))
      return;
    llvm::BLAKE3 hash;
    const std::string name = fs::path(wanted.input->path).filename();
    for (const std::string &text : {identity, name})
      hash.update(llvm::StringRef(text.c_str(), text.size() + 1));
    hash.update(text_of(*file));
    if (wanted.input->is_thin && !add_members(wanted.input->path, text_of(*file), &hash))
      return; // the linker reports the error
    const std::string key = llvm::toHex(hash.final<16>(), /*LowerCase=*/true),
                      folder = folder_ + "/" + key;
    std::error_code error;
    if (!fs::exists(folder, error))
      if (auto recorded = record({wanted.input, key, ""}); !recorded) {
        fmt::print(stderr, "nophook: warning: {}\n", printable(recorded.error().text()));
        return;
      }
    ::utimensat(AT_FDCWD, folder.c_str(), nullptr, 0);
    if (const std::string copy = folder + "/" + name; fs::exists(copy, error))
      wanted.result = copy;
  });
  std::vector<std::string> results;
  for (Wanted &wanted : all)
    results.push_back(std::move(wanted.result));
  return results;
}

void RecordedObjects::keep_lock_in_linker() const {
  if (lock_.valid())
    ::fcntl(lock_.get(), F_SETFD, 0);
}

void RecordedObjects::remove_own() const {
  std::error_code error;
  if (is_own_)
    fs::remove_all(folder_, error);
}

} // namespace nophook
