#include "simulations/journal/run_file.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"

namespace attest::journal {

std::filesystem::path run_file(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw reports::IoError(
        fmt::format("cannot make the folder {}: {}; choose another with --out", directory.string(), error.message()));
  return directory / "run.db";
}

void refuse_foreign(const std::filesystem::path& file) {
  throw std::invalid_argument(fmt::format("{} is the database of another run: choose another --out", file.string()));
}

void refuse_other_version(const std::filesystem::path& file) {
  throw std::invalid_argument(
      fmt::format("{} was written by another version of attest: choose another --out", file.string()));
}

void require_plain_tables(Database& database, const std::filesystem::path& file) {
  if (database.number("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index') OR"
                      " upper(sql) LIKE 'CREATE VIRTUAL%' OR upper(sql) LIKE '%GENERATED%'") != 0)
    refuse_foreign(file);
}

void require_resume(bool resume, const std::filesystem::path& file, const char* held) {
  if (!resume)
    throw std::invalid_argument(
        fmt::format("{} holds {} already: continue with --resume, or choose another --out", file.string(), held));
}

}  // namespace attest::journal
