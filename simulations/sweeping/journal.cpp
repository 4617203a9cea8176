#include "simulations/sweeping/journal.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include "reports/files/atomic_file.hpp"
#include "simulations/journal/checksum.hpp"
#include "simulations/journal/run_file.hpp"

namespace attest::sweeps {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using quantities::Outcome;
using quantities::Outcomes;
using quantities::Quantity;

constexpr std::int64_t application = 0x41747374;  // "Atst", in the file's header
constexpr std::int64_t layout = 2;

/// A commit waits for the disk: at most this share of the time is spent on them.
constexpr int commit_share = 20;

void make_tables(journal::Database& database) {
  database.execute(
      "BEGIN;"
      "CREATE TABLE points (id TEXT PRIMARY KEY, quantity TEXT NOT NULL, version INTEGER NOT NULL, sum INTEGER NOT "
      "NULL)"
      " WITHOUT ROWID;"
      "CREATE TABLE parameters (point TEXT, name TEXT, value, PRIMARY KEY (point, name)) WITHOUT ROWID;"
      "CREATE TABLE outcomes (point TEXT, result TEXT, value REAL, lower REAL, upper REAL, PRIMARY KEY (point, result))"
      " WITHOUT ROWID;");
  database.execute(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT", application, layout).c_str());
}

void require_our_tables(journal::Database& database, const fs::path& file) {
  journal::require_plain_tables(database, file);
  if (database.number("SELECT count(*) FROM sqlite_master") == 0) {
    make_tables(database);
  } else if (database.number("PRAGMA application_id") != application) {
    journal::refuse_foreign(file);
  } else if (database.number("PRAGMA user_version") != layout) {
    journal::refuse_other_version(file);
  }
}

bool any_point(journal::Database& database) {
  return database.number("SELECT count(*) FROM (SELECT 1 FROM points LIMIT 1)") != 0;
}

/// Of all that is stored of a point's results.
std::int64_t checksum_of(const Quantity& quantity, const std::string& id, const Outcomes& outcomes) {
  journal::Checksum sum;
  sum.add(id).add(quantity.name).add(static_cast<std::int64_t>(quantity.version));
  for (const auto& result : quantity.results) {
    const Outcome& outcome = outcomes.at(result.name);
    sum.add(result.name).add(outcome.value).add(outcome.interval.lower).add(outcome.interval.upper);
  }
  return sum.value();
}

/// Errors: std::invalid_argument for a point whose numbers are not those that were stored.
Finished read_finished(journal::Database& database, const fs::path& file, const Quantity& quantity,
                       const std::vector<Point>& points) {
  Finished all;
  journal::Statement outcome =
      database.prepare("SELECT value, lower, upper FROM outcomes WHERE point = ?1 AND result = ?2");
  journal::Statement known = database.prepare("SELECT sum FROM points WHERE id = ?1");
  for (const Point& point : points) {
    known.bind(1, point.id);
    const bool there = known.step();
    const std::int64_t sum = there ? known.integer(0) : 0;
    known.reset();
    if (!there) continue;
    Outcomes outcomes;
    for (const auto& result : quantity.results) {
      outcome.bind(1, point.id);
      outcome.bind(2, result.name);
      if (outcome.step()) outcomes[result.name] = {outcome.real(0), {outcome.real(1), outcome.real(2)}};
      outcome.reset();
    }
    // A quantity that gained a result without a new version: the point is done again.
    if (outcomes.size() != quantity.results.size()) continue;
    if (checksum_of(quantity, point.id, outcomes) != sum)
      throw std::invalid_argument(
          fmt::format("{} is damaged: the numbers of the point {} are not those that were stored; take a copy from "
                      "before, or run the sweep again with another --out",
                      file.string(), point.id));
    all.emplace(point.id, std::move(outcomes));
  }
  return all;
}

}  // namespace

Journal::Journal(const fs::path& directory, bool resume)
    : file_(journal::run_file(directory)), database_(file_), committed_(Clock::now()) {
  require_our_tables(database_, file_);
  if (any_point(database_)) journal::require_resume(resume, file_, "finished points");
}

Finished Journal::finished(const Quantity& quantity, const std::vector<Point>& points) {
  return read_finished(database_, file_, quantity, points);
}

void Journal::require_only(const std::vector<Point>& points) {
  std::unordered_set<std::string> known;
  for (const Point& point : points) known.insert(point.id);
  journal::Statement ids = database_.prepare("SELECT id FROM points");
  while (ids.step())
    if (!known.contains(ids.text(0)))
      throw std::invalid_argument(fmt::format(
          "{} holds points that are not this sweep's: give the file and --seed that it was begun with, or choose "
          "another --out",
          file_.string()));
}

void Journal::add(const Quantity& quantity, const Point& point, const Outcomes& outcomes) {
  if (!open_) open_.emplace(database_);
  try {
    journal::Statement row = database_.prepare("INSERT OR REPLACE INTO points VALUES (?1, ?2, ?3, ?4)");
    row.bind(1, point.id);
    row.bind(2, quantity.name);
    row.bind(3, static_cast<std::int64_t>(quantity.version));
    row.bind(4, checksum_of(quantity, point.id, outcomes));
    row.step();
    journal::Statement parameter = database_.prepare("INSERT OR REPLACE INTO parameters VALUES (?1, ?2, ?3)");
    for (const auto& [name, value] : point.arguments.values()) {
      parameter.bind(1, point.id);
      parameter.bind(2, name);
      std::visit([&](const auto& content) { parameter.bind(3, content); }, value);
      parameter.step();
    }
    journal::Statement outcome = database_.prepare("INSERT OR REPLACE INTO outcomes VALUES (?1, ?2, ?3, ?4, ?5)");
    for (const auto& result : quantity.results) {
      const Outcome& found = outcomes.at(result.name);
      outcome.bind(1, point.id);
      outcome.bind(2, result.name);
      outcome.bind(3, found.value);
      outcome.bind(4, found.interval.lower);
      outcome.bind(5, found.interval.upper);
      outcome.step();
    }
    if (Clock::now() - committed_ > commit_share * cost_) commit();
  } catch (...) {
    open_.reset();
    throw;
  }
}

void Journal::commit() {
  if (!open_) return;
  const auto start = Clock::now();
  open_->commit();
  open_.reset();
  committed_ = Clock::now();
  cost_ = committed_ - start;
}

std::size_t Journal::take_from(const fs::path& directory, const Quantity& quantity, const std::vector<Point>& points) {
  const fs::path file = directory / "run.db";
  if (!fs::exists(file))
    throw reports::IoError(fmt::format("{} does not exist: name the folder of a run", file.string()));
  journal::Database other(file);
  require_our_tables(other, file);
  const Finished taken = read_finished(other, file, quantity, points);
  if (taken.empty() && any_point(other))
    throw std::invalid_argument(fmt::format(
        "--merge {}: none of its points is one of this sweep's; name runs of the same file and --seed, or leave it out",
        directory.string()));
  for (const Point& point : points)
    if (const auto found = taken.find(point.id); found != taken.end()) add(quantity, point, found->second);
  commit();
  return taken.size();
}

}  // namespace attest::sweeps
