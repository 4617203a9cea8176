#include "simulations/journal/run_record.hpp"

#include <cstdint>
#include <initializer_list>
#include <stdexcept>

#include <fmt/format.h>

#include "simulations/journal/checksum.hpp"
#include "simulations/journal/run_file.hpp"

namespace attest::journal {
namespace {

void bind_run(Statement& statement, const std::string& variant, std::uint64_t seed) {
  statement.bind(1, variant);
  statement.bind(2, static_cast<std::int64_t>(seed));
}

/// Of one number of a run. Results stand at no step: -1.
std::int64_t checksum_of(const std::string& variant, std::int64_t seed, std::int64_t step, const std::string& metric,
                         double value) {
  return Checksum().add(variant).add(seed).add(step).add(metric).add(value).value();
}

constexpr std::int64_t no_step = -1;

[[noreturn]] void damaged(const std::string& variant, std::int64_t seed, const std::string& metric) {
  throw std::invalid_argument(fmt::format(
      "run.db is damaged: the {} of the variant {}, seed {}, is not the number that was stored; take a copy from "
      "before, or train again with another --out",
      metric, variant, seed));
}

enum class Column : std::uint8_t { text, whole, real };

/// Puts each row that `from` gives into `into`, column by column.
void copy_rows(Statement from, Statement into, std::initializer_list<Column> columns) {
  while (from.step()) {
    int at = 0;
    for (const Column column : columns) {
      const int parameter = at + 1;
      switch (column) {
        case Column::text:
          into.bind(parameter, from.text(at));
          break;
        case Column::whole:
          into.bind(parameter, from.integer(at));
          break;
        case Column::real:
          into.bind(parameter, from.real(at));
          break;
      }
      ++at;
    }
    into.step();
  }
}

}  // namespace

RunRecord::RunRecord(const std::filesystem::path& directory, const std::string& canonical, bool resume)
    : database_(run_file(directory)) {
  const std::filesystem::path file = run_file(directory);
  if (database_.number("SELECT count(*) FROM sqlite_master") == 0) {
    Transaction transaction(database_);
    database_.execute(
        "CREATE TABLE experiment (spec TEXT NOT NULL);"
        "CREATE TABLE metrics (variant TEXT, seed INTEGER, step INTEGER, metric TEXT, value REAL,"
        " sum INTEGER NOT NULL, PRIMARY KEY (variant, seed, step, metric)) WITHOUT ROWID;"
        "CREATE TABLE results (variant TEXT, seed INTEGER, metric TEXT, value REAL,"
        " sum INTEGER NOT NULL, PRIMARY KEY (variant, seed, metric)) WITHOUT ROWID;");
    Statement insert = database_.prepare("INSERT INTO experiment VALUES (?1)");
    insert.bind(1, canonical);
    insert.step();
    transaction.commit();
    return;
  }
  require_plain_tables(database_, file);
  if (database_.number("SELECT count(*) FROM sqlite_master WHERE name IN ('experiment', 'metrics', 'results')") < 3)
    refuse_foreign(file);
  if (database_.number("SELECT count(*) FROM pragma_table_info('results') WHERE name = 'sum'") == 0)
    refuse_other_version(file);
  Statement select = database_.prepare("SELECT spec FROM experiment");
  const bool same = select.step() && select.text(0) == canonical;
  select.reset();
  require_resume(resume, file, "a training");
  if (!same)
    throw std::invalid_argument(fmt::format(
        "{} belongs to another experiment: give the file and --set that it was begun with, or choose another --out",
        file.string()));
}

Results RunRecord::results(const std::string& variant, std::uint64_t seed) {
  const std::scoped_lock lock(mutex_);
  Statement select = database_.prepare("SELECT metric, value, sum FROM results WHERE variant = ?1 AND seed = ?2");
  bind_run(select, variant, seed);
  Results results;
  const auto signed_seed = static_cast<std::int64_t>(seed);
  while (select.step()) {
    if (checksum_of(variant, signed_seed, no_step, select.text(0), select.real(1)) != select.integer(2))
      damaged(variant, signed_seed, select.text(0));
    results.emplace(select.text(0), select.real(1));
  }
  return results;
}

void RunRecord::add(const std::string& variant, std::uint64_t seed, const std::vector<Measurement>& measurements) {
  const std::scoped_lock lock(mutex_);
  Transaction transaction(database_);
  Statement insert = database_.prepare("INSERT OR REPLACE INTO metrics VALUES (?1, ?2, ?3, ?4, ?5, ?6)");
  for (const Measurement& one : measurements) {
    bind_run(insert, variant, seed);
    insert.bind(3, one.step);
    insert.bind(4, one.metric);
    insert.bind(5, one.value);
    insert.bind(6, checksum_of(variant, static_cast<std::int64_t>(seed), one.step, one.metric, one.value));
    insert.step();
  }
  transaction.commit();
}

void RunRecord::forget_after(const std::string& variant, std::uint64_t seed, std::int64_t step) {
  const std::scoped_lock lock(mutex_);
  Statement erase = database_.prepare("DELETE FROM metrics WHERE variant = ?1 AND seed = ?2 AND step > ?3");
  bind_run(erase, variant, seed);
  erase.bind(3, step);
  erase.step();
  if (!has_table("warnings")) return;
  Statement forget = database_.prepare("DELETE FROM warnings WHERE variant = ?1 AND seed = ?2 AND step > ?3");
  bind_run(forget, variant, seed);
  forget.bind(3, step);
  forget.step();
}

bool RunRecord::has_table(const char* name) {
  Statement select = database_.prepare("SELECT count(*) FROM sqlite_master WHERE name = ?1");
  select.bind(1, std::string(name));
  return select.step() && select.integer(0) > 0;
}

void RunRecord::make_warnings() {
  database_.execute(
      "CREATE TABLE IF NOT EXISTS warnings (variant TEXT, seed INTEGER, step INTEGER, sentence TEXT,"
      " PRIMARY KEY (variant, seed, step, sentence)) WITHOUT ROWID");
}

FinishedRuns RunRecord::finished() {
  const std::scoped_lock lock(mutex_);
  Statement select = database_.prepare("SELECT DISTINCT variant, seed FROM results");
  FinishedRuns runs;
  while (select.step()) runs.emplace(select.text(0), static_cast<std::uint64_t>(select.integer(1)));
  return runs;
}

void RunRecord::warn(const RunWarning& warning) {
  const std::scoped_lock lock(mutex_);
  make_warnings();
  Statement insert = database_.prepare("INSERT OR IGNORE INTO warnings VALUES (?1, ?2, ?3, ?4)");
  bind_run(insert, warning.variant, warning.seed);
  insert.bind(3, warning.step);
  insert.bind(4, warning.sentence);
  insert.step();
}

std::vector<RunWarning> RunRecord::warnings() {
  const std::scoped_lock lock(mutex_);
  std::vector<RunWarning> all;
  if (!has_table("warnings")) return all;
  Statement select =
      database_.prepare("SELECT variant, seed, step, sentence FROM warnings ORDER BY variant, seed, step, sentence");
  while (select.step())
    all.push_back({select.text(0), static_cast<std::uint64_t>(select.integer(1)), select.integer(2), select.text(3)});
  return all;
}

std::vector<RunMeasurement> RunRecord::measurements() {
  const std::scoped_lock lock(mutex_);
  Statement select = database_.prepare(
      "SELECT variant, seed, step, metric, value, sum FROM metrics ORDER BY variant, seed, step, metric");
  std::vector<RunMeasurement> all;
  while (select.step()) {
    const std::string variant = select.text(0), metric = select.text(3);
    if (checksum_of(variant, select.integer(1), select.integer(2), metric, select.real(4)) != select.integer(5))
      damaged(variant, select.integer(1), metric);
    all.push_back(
        {variant, static_cast<std::uint64_t>(select.integer(1)), {select.integer(2), metric, select.real(4)}});
  }
  return all;
}

void RunRecord::finish(const std::string& variant, std::uint64_t seed, const Results& results) {
  const std::scoped_lock lock(mutex_);
  Transaction transaction(database_);
  Statement insert = database_.prepare("INSERT OR REPLACE INTO results VALUES (?1, ?2, ?3, ?4, ?5)");
  for (const auto& [metric, value] : results) {
    bind_run(insert, variant, seed);
    insert.bind(3, metric);
    insert.bind(4, value);
    insert.bind(5, checksum_of(variant, static_cast<std::int64_t>(seed), no_step, metric, value));
    insert.step();
  }
  transaction.commit();
}

void RunRecord::note_program(const std::string& commit) {
  const std::scoped_lock lock(mutex_);
  database_.execute("CREATE TABLE IF NOT EXISTS programs (built_from TEXT PRIMARY KEY) WITHOUT ROWID");
  Statement insert = database_.prepare("INSERT OR IGNORE INTO programs VALUES (?1)");
  insert.bind(1, commit);
  insert.step();
}

std::vector<std::string> RunRecord::programs() {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> all;
  if (!has_table("programs")) return all;
  Statement rows = database_.prepare("SELECT built_from FROM programs ORDER BY built_from");
  while (rows.step()) all.push_back(rows.text(0));
  return all;
}

void RunRecord::take_from(RunRecord& other) {
  const std::scoped_lock lock(mutex_, other.mutex_);
  Transaction transaction(database_);
  // Sums are copied as they are: what is damaged there stays so, and is found when it is read.
  using enum Column;
  copy_rows(other.database_.prepare("SELECT variant, seed, step, metric, value, sum FROM metrics"),
            database_.prepare("INSERT OR REPLACE INTO metrics VALUES (?1, ?2, ?3, ?4, ?5, ?6)"),
            {text, whole, whole, text, real, whole});
  copy_rows(other.database_.prepare("SELECT variant, seed, metric, value, sum FROM results"),
            database_.prepare("INSERT OR REPLACE INTO results VALUES (?1, ?2, ?3, ?4, ?5)"),
            {text, whole, text, real, whole});
  if (other.has_table("warnings")) {
    make_warnings();
    copy_rows(other.database_.prepare("SELECT variant, seed, step, sentence FROM warnings"),
              database_.prepare("INSERT OR IGNORE INTO warnings VALUES (?1, ?2, ?3, ?4)"), {text, whole, whole, text});
  }
  transaction.commit();
}

}  // namespace attest::journal
