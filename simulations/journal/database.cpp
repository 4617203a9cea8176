#include "simulations/journal/database.hpp"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <sqlite3.h>

#include "reports/files/atomic_file.hpp"

namespace attest::journal {
namespace {

[[noreturn]] void fail(const std::filesystem::path& file, sqlite3* connection) {
  const int status = connection == nullptr ? SQLITE_NOMEM : sqlite3_errcode(connection);
  const std::string name = file.string();
  switch (status & 0xff) {
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // a table that lacks what was written into it, or that asks for what is not there
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
      throw std::invalid_argument(
          fmt::format("{} is not a database of a run, or a damaged one: move it away, or choose another --out", name));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw reports::IoError(
          fmt::format("{} is in use by another process: wait for it, or choose another --out", name));
    case SQLITE_FULL:
      throw reports::IoError(fmt::format(
          "{} cannot grow, the disk is full: free some space and continue with --resume; what was finished is kept",
          name));
    default:
      throw reports::IoError(
          fmt::format("{} cannot be used: {}: make its folder writable or choose another --out; with --resume what "
                      "was finished is kept",
                      name, connection == nullptr ? "no memory" : sqlite3_errmsg(connection)));
  }
}

}  // namespace

void Statement::Finalise::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Statement::Statement(const std::filesystem::path& file, sqlite3* connection, const char* sql)
    : file_(&file), connection_(connection) {
  sqlite3_stmt* statement = nullptr;
  const int status = sqlite3_prepare_v2(connection, sql, -1, &statement, nullptr);
  statement_.reset(statement);
  require(status, SQLITE_OK);
}

void Statement::require(int status, int expected) const {
  if (status != expected) fail(*file_, connection_);
}

void Statement::bind(int parameter, const std::string& text) {
  require(sqlite3_bind_text64(statement_.get(), parameter, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8),
          SQLITE_OK);
}

void Statement::bind(int parameter, std::int64_t number) {
  require(sqlite3_bind_int64(statement_.get(), parameter, number), SQLITE_OK);
}

void Statement::bind(int parameter, double number) {
  require(sqlite3_bind_double(statement_.get(), parameter, number), SQLITE_OK);
}

bool Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) {
    sqlite3_reset(statement_.get());  // An unfinished statement would keep the transaction from being rolled back.
    fail(*file_, connection_);
  }
  reset();
  return false;
}

void Statement::reset() { sqlite3_reset(statement_.get()); }

std::string Statement::text(int column) const {
  const int size = sqlite3_column_bytes(statement_.get(), column);
  const void* bytes = sqlite3_column_blob(statement_.get(), column);
  return bytes == nullptr ? std::string()
                          : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

double Statement::real(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL ? std::nan("")
                                                                      : sqlite3_column_double(statement_.get(), column);
}

Database::Database(const std::filesystem::path& file) : file_(std::make_unique<std::filesystem::path>(file)) {
  sqlite3* connection = nullptr;
  const int status = sqlite3_open_v2(file.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  connection_.reset(connection);
  if (status != SQLITE_OK) fail(file, connection);
  // A file may hold views and triggers: they must not call functions with side effects, nor may a statement of ours be
  // able to write into the file's own structure.
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  // The lock comes with the first statement that reads, and stays until the file is closed or the process ends.
  execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL");
  execute("BEGIN EXCLUSIVE; COMMIT");
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(*file_, connection_.get());
}

Statement Database::prepare(const char* sql) { return Statement(*file_, connection_.get(), sql); }

std::int64_t Database::number(const char* sql) {
  Statement statement = prepare(sql);
  return statement.step() ? statement.integer(0) : 0;
}

void Database::rollback() noexcept {
  if (sqlite3_get_autocommit(connection_.get()) == 0)
    sqlite3_exec(connection_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

}  // namespace attest::journal
