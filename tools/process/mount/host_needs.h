// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The things that a host may lack for our mounts, each with its remedy. The errors of mount(2) and
// unshare(2) are the same for all of them.

#pragma once

#include <string>

namespace nophook {

// Why no file system in user space can be mounted. Empty: the reason is not known.
std::string missing_device();
std::string missing_mount_helper();

// Why unshare(2) has refused a user namespace with this errno.
std::string missing_user_namespace(int error);

// Why mount(2) has refused a tracefs at `folder` with this errno.
std::string missing_tracefs(const std::string &folder, int error);

} // namespace nophook
