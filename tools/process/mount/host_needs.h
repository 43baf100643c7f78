// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host may lack for mounts of ours, in words that tell what to do about it. The errors of
// mount(2) and unshare(2) are the same for all of it.

#pragma once

#include <string>

namespace nophook {

// Why no file system in user space can be mounted. Empty: that is not known.
std::string missing_device();
std::string missing_mount_helper();

// Why unshare(2) has refused a user namespace, whose errno this was.
std::string missing_user_namespace(int error);

// Why there is no tracefs at `folder`, where mount(2) has given this errno for one.
std::string missing_tracefs(const std::string &folder, int error);

} // namespace nophook
