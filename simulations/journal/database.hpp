// SQLite with errors as sentences.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace attest::journal {

/// A prepared statement. Parameters count from 1, columns from 0.
class Statement {
 public:
  void bind(int parameter, const std::string& text);
  void bind(int parameter, std::int64_t number);
  /// NaN, for which SQLite has no form, becomes NULL.
  void bind(int parameter, double number);
  /// One row further; false after the last. Then, or after `reset`, parameters may be bound anew.
  bool step();
  void reset();
  std::string text(int column) const;
  std::int64_t integer(int column) const;
  /// NULL reads as NaN.
  double real(int column) const;

 private:
  friend class Database;
  struct Finalise {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const std::filesystem::path& file, sqlite3* connection, const char* sql);
  void require(int status, int expected) const;

  const std::filesystem::path* file_;
  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Finalise> statement_;
};

/// One SQLite file that this process alone has open.
///
/// It has a rollback journal and is synchronised to the disk at every commit, so that whatever kills the process or
/// the machine, the next opening finds the last committed state. Errors of all functions: reports::IoError when the
/// file cannot be read or written (a full disk, another process at work on it, ...), std::invalid_argument when it is
/// not a database.
class Database {
 public:
  /// Opens `file`, made when it is absent.
  explicit Database(const std::filesystem::path& file);

  void execute(const char* sql);
  /// The database must outlive the statement.
  Statement prepare(const char* sql);
  /// The single number that `sql` asks for.
  std::int64_t number(const char* sql);
  /// Gives up the open transaction, if there is one.
  void rollback() noexcept;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  std::unique_ptr<std::filesystem::path> file_;  // statements point to it
  std::unique_ptr<sqlite3, Close> connection_;
};

/// An open transaction, given up where it is left without `commit`: by whatever was thrown between.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database) { database_.execute("BEGIN"); }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() { database_.rollback(); }

  void commit() { database_.execute("COMMIT"); }

 private:
  Database& database_;
};

}  // namespace attest::journal
