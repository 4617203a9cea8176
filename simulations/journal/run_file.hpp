// DIR/run.db: where it is, and what a run says that may not use it.
#pragma once

#include <filesystem>

#include "simulations/journal/database.hpp"

namespace attest::journal {

/// The journal of the run in `directory`, which is made where it is absent. Errors: reports::IoError.
std::filesystem::path run_file(const std::filesystem::path& directory);

/// Throw std::invalid_argument with the way out: the file is another program's, or of a layout that this one cannot
/// read.
[[noreturn]] void refuse_foreign(const std::filesystem::path& file);
[[noreturn]] void refuse_other_version(const std::filesystem::path& file);

/// Refuses a file that holds anything but plain tables: a view or a trigger in their place could go on for ever.
void require_plain_tables(Database& database, const std::filesystem::path& file);

/// For a file that holds a run already: throws std::invalid_argument unless it is to be continued. `held` is what
/// stands in it, such as "a training".
void require_resume(bool resume, const std::filesystem::path& file, const char* held);

}  // namespace attest::journal
