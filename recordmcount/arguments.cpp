// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "arguments.h"

#include <CLI/CLI.hpp>
#include <cstdio>

namespace nophook::recordmcount {

namespace {

void describe(CLI::App &app, Arguments &arguments) {
  app.add_option("FILE", arguments.files, "relocatable objects, archives of them")->required();
  app.add_option("-o,--output", arguments.output, "write there instead of in place (one FILE)");
  app.add_option("-j,--jobs", arguments.jobs, "files at the same time (all processors)");
  auto *keep = app.add_flag("--keep-calls", arguments.record.keep_calls,
                            "record the calls and leave them: static tracing");
  app.add_flag("!--no-descriptors", arguments.record.descriptors,
               "leave debug info alone: no arguments, function_graph shows entries only");
  app.add_flag("--dry-run", arguments.dry_run, "change no file");
  auto *list =
      app.add_flag("--list", arguments.record.list, "print each site: section+offset function");
  auto *verify = app.add_flag("--verify", arguments.record.verify,
                              "read the result again and check each site");
  app.add_flag("--fsync", arguments.fsync, "have each file on disk before it replaces the old one");
  auto *verbose = app.add_flag("-v,--verbose", arguments.verbose, "a line for each file");
  app.add_flag("-q,--quiet", arguments.quiet, "no summary")->excludes(verbose);
  app.add_flag("--sort", arguments.sort, "FILE is a linked program or library: sort its table")
      ->excludes(keep, list, verify);
  app.set_version_flag("--version", "recordmcount " NOPHOOK_VERSION);
}

} // namespace

std::optional<int> parse(int argc, char **argv, Arguments *arguments) {
  CLI::App app("Records where functions call mcount or begin with NOPs, in relocatable objects\n"
               "of any compiler, and turns the calls into NOPs: then they can be traced as what\n"
               "the Nophook plugin compiled.",
               "recordmcount");
  describe(app, *arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    std::fprintf(stderr, "recordmcount: %s (recordmcount --help)\n", error.what());
    return 2;
  }
  if (!arguments->output.empty() && arguments->files.size() != 1) {
    std::fprintf(stderr, "recordmcount: -o takes one FILE\n");
    return 2;
  }
  return std::nullopt;
}

} // namespace nophook::recordmcount
