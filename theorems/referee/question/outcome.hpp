// What the judge says of one statement, with the evidence for it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "theorems/engine/verdict.hpp"
#include "theorems/language/program.hpp"

namespace attest::referee {

/// A variable's value at a point, as the statement means it (a matrix row by row).
struct NamedValue {
  std::string name;
  language::Shape shape;
  std::vector<double> entries;
};

/// A point with both sides of the relation that decides there.
struct Point {
  language::Choices choices;
  std::vector<double> raw;          ///< the raw numbers of the program at these choices, exactly
  std::vector<NamedValue> values;   ///< choices and elements; elements made from raw numbers are rounded for reading
  std::string lhs, rhs;             ///< decimal, as many digits as are certain, at most 17
  std::string relation;             ///< "<=", ...
  double relative_margin = 0;       ///< negative where the statement fails
  std::int64_t precision_bits = 0;  ///< of the confirmation; 0 where doubles or samples decided
};

/// A statement made from the judged one by a small change, and what became of it.
struct NearMiss {
  std::string name;       ///< "constant 1/2 made 1 % smaller"
  std::string statement;  ///< in normal form
  double delta = 0;       ///< relative size of the change; 1 where nothing has a size
  bool refuted = false;
};

/// An assumption, and whether the statement is refuted without it.
struct Assumption {
  std::string text;
  bool needed = false;
  bool undecided = false;  ///< not refuted without it, and not standing either
};

/// What `best C` found.
struct BestConstant {
  std::string name;
  bool smallest = true;     ///< the smallest C for which the rest holds; else the largest
  double found = 0;         ///< the largest (smallest) C that some point demands, confirmed in balls
  double extrapolated = 0;  ///< where the demands tend to when the search is continued; equal to `found` if attained
  bool attained = false;    ///< else it is approached, not attained
  std::string closed_form;  ///< a short exact number at `extrapolated`; empty where none fits
  double not_refuted = 0;   ///< smallest (largest) constant that was not refuted
  bool certified = false;   ///< `not_refuted` is proven on the whole domain
  std::optional<Point> witness;  ///< where `found` is demanded
};

/// A changed statement that stands.
struct Repair {
  std::string statement;      ///< normal form; not refuted by the same search
  std::string sentence;       ///< "true as far as searched with the right side times 1.1289042"
  language::Expr claim = {};  ///< what the statement says instead; null where no repair was found
};

struct Outcome {
  std::string reading;  ///< normal form
  std::string tex;
  std::string question;  ///< "universal", "existential", "best constant", "limit", "order", "expectation"
  engine::Verdict verdict = engine::Verdict::undecided;
  std::string reason;
  std::string would_change;
  std::string domain;  ///< one sentence on what was really searched
  std::string method;  ///< "exact algebra", "enumeration", "branch and bound", "adversarial search", ...
  std::optional<Point> witness;
  std::optional<Point> tightest;  ///< of a statement that stands
  std::optional<BestConstant> best;
  std::vector<NearMiss> near_misses;
  std::vector<Assumption> assumptions;
  std::optional<Repair> repair;              ///< of the constant, or of a strict relation
  std::optional<Repair> repair_of_exponent;  ///< of one exponent, where that is enough
  std::vector<std::string> remarks;          ///< trivial edges, points left out, ...
  bool leaves_points_out = false;            ///< a remark says which, and why
  /// Whose raw numbers the points have, where it is not the statement itself: see `with_equations_met`.
  std::shared_ptr<const language::Statement> met = {};
  std::int64_t evaluations = 0;
  std::uint64_t seed = 0;
  double seconds = 0;

  bool stands() const { return verdict == engine::Verdict::certified || verdict == engine::Verdict::supported; }
  /// The refuted near-miss of least delta among changed constants and exponents; nullptr where none was refuted.
  const NearMiss* smallest_lie() const;
};

/// The four of them together: what is said, how it was found, why, and what would change it.
void conclude(Outcome& outcome, engine::Verdict verdict, std::string method, std::string reason,
              std::string would_change);

/// As `attest try --json` writes it.
nlohmann::ordered_json to_json(const Outcome& outcome);

/// The name with its value for reading: "x = (1, 0.5)", "A = (1, 0; 0, 1)"; long arrays with repeated rows shortened.
std::string shown(const NamedValue& value);

}  // namespace attest::referee
