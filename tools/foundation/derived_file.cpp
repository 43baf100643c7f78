// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the rights of a derived file from its sources' rights and groups.

#include "foundation/derived_file.h"

#include "foundation/created_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace nophook {

namespace {

constexpr mode_t kOwner = 0600;

// The rights that a source allows. `in_group` moves the new file to a group, or returns whether it
// is there already.
template <class InGroup> mode_t rights_of(int source, InGroup in_group) {
  struct stat from;
  if (::fstat(source, &from))
    return kOwner;
  // If the file has a list of rights, the bits of the group are the most that any user of the list
  // has.
  const bool has_list = ::fgetxattr(source, "system.posix_acl_access", nullptr, 0) >= 0;
  mode_t group = has_list ? 0 : from.st_mode >> 3 & 06;
  const mode_t others = from.st_mode & group & 06; // a group may have fewer rights than all others
  if (!in_group(from.st_gid))
    group = others;
  return kOwner | group << 3 | others;
}

} // namespace

mode_t derived_mode(int fd, std::span<const int> sources) {
  const mode_t mask = ::umask(077);
  ::umask(mask);
  mode_t mode = 0666 & ~mask;
  for (int source : sources)
    mode &= rights_of(source, [&](gid_t group) {
      struct stat to;
      return !::fstat(fd, &to) && (to.st_gid == group || !::fchown(fd, (uid_t)-1, group));
    });
  return mode | kOwner;
}

mode_t derived_umask(int source) {
  const mode_t rights = rights_of(source, [](gid_t group) { return group == ::getegid(); });
  const mode_t mask = ::umask(077);
  ::umask(mask);
  const mode_t search = rights >> 2 & 011; // a folder that can be read can be searched, too
  return mask | (077 & ~(rights | search));
}

Result<FileDescriptor> create_derived_file(const std::string &path, std::span<const int> sources) {
  auto created = create_new_file(path, kOwner);
  const bool is_new = created.ok();
  if (!is_new)
    created = open_output(path);
  NOPHOOK_TRY(created);
  FileDescriptor file = std::move(*created);
  struct stat status;
  if (::fstat(file.get(), &status))
    return system_error(path, "cannot be created");
  if (!S_ISREG(status.st_mode))
    return file;
  mode_t mode = derived_mode(file.get(), sources);
  if (!is_new)
    mode &= status.st_mode;
  // Fails for another user's file, which keeps the rights that its owner has chosen.
  (void)::fchmod(file.get(), mode);
  if (::ftruncate(file.get(), 0))
    return system_error(path, "cannot be created");
  return file;
}

} // namespace nophook
