// What the properties that compare calls with each other share.
#pragma once

#include <functional>
#include <string_view>

#include "simulations/judge/trial/answers.hpp"

namespace attest::judge {

/// Rows of an output as [B][H][row][feature].
struct RowShape {
  Index batch, heads, rows, width;
};
RowShape row_shape(const std::string& output, const Problem& problem);

/// A row of an output.
struct Row {
  Index b, h, n;
};
bool all_rows(const Row& row);  ///< true

/// What two calls may differ by in results that are the same: nothing, or where the target need not be deterministic
/// what two right answers may. `expected` is asked at most once; the settings must outlive this.
class Sameness {
 public:
  Sameness(const TrialSettings& settings, std::function<Expected()> expected);
  /// The bounds of which each entry may differ by twice; nullptr where bits must be the same.
  const std::vector<double>* tolerated(const std::string& output) const;
  /// The bounds even where the target is deterministic; nullptr where the output has none.
  const std::vector<double>* within_rounding(const std::string& output) const;

 private:
  const TrialSettings& settings_;
  std::function<Expected()> expected_;
  mutable std::optional<Expected> known_;
};

/// Whether each chosen row has the same numbers in both (0 and -0 are the same, NaN and NaN too), or what is tolerated;
/// otherwise the first that has not, in `where`.
bool same_rows(const std::string& output, const Problem& problem, const std::vector<double>& before,
               const std::vector<double>& after, const std::function<bool(const Row&)>& chosen, Row& where,
               const std::vector<double>* tolerated = nullptr);

/// Puts a failure of rows that changed into the record.
void fail_changed(Record& record, const std::string& output, const Fault& fault, const std::string& what,
                  const Row& row);

/// Two answers of which the rows that are `kept(row, of_keys)` must have the same numbers, out, lse and gradients; what
/// changes others is `what`, large numbers in the same batch (of_mates) or other numbers.
void compare_parts(Record& record, const Problem& extents, const Outputs& before, const Outputs& after,
                   const std::function<bool(const Row&, bool)>& kept, bool of_mates, const std::string& what,
                   const Sameness& sameness);

/// The output of a sequence by itself (`extents`, `expected`) against that in its batch: the same bits, or where they
/// need not be, no further apart than two right answers may be, whether these are right or not: values are judged
/// apart.
void compare_alone(Record& record, const Problem& extents, const std::vector<double>& in_batch,
                   const std::vector<double>& by_itself, const std::function<Judged()>& expected,
                   const TrialSettings& settings);

/// Compares how far the errors x - first and y - second of two outputs are apart with the sum of both bounds, all that
/// two right answers may differ by: puts the largest ratio into the record, and a failure where it exceeds 1. `under`:
/// what changed between the calls, as in "a shift of the logits".
void judge_change(Record& record, const std::vector<double>& x, const Judged& first, const std::vector<double>& y,
                  const Judged& second, const std::string& under);

/// Twice the values must double the output exactly, `before` into `after`, or to within what is tolerated; numbers
/// below the least normal one are rounded to no more digits when they are twice as large, or flushed: they may differ
/// by twice the least that is kept.
void judge_doubling(Record& record, const Problem& extents, std::vector<double> before,
                    const std::vector<double>& after, const Sameness& sameness);

/// The derivative along a random direction by the target's gradients against that by differences of its own outputs,
/// which right ones keep within `bound`: puts the ratio into the record, and a failure where it exceeds 1 or one of the
/// three is not a number.
void judge_direction(Record& record, long double by_gradients, long double by_differences, double bound);

/// One call to the target; empty when there is no answer.
using Ask = std::function<std::optional<Outputs>(Record& record)>;

/// A call, another of the same extents, and the first twice more: earlier calls must not matter, and the same call
/// gives the same bits, as far as the target is deterministic. What is wrong in a fresh process too, for which
/// `start_afresh` is called, is not blamed on earlier calls.
Record repeated(const CaseSpec& spec, const Problem& extents, const Expected& of_first, const Judged& of_second,
                const Ask& ask_first, const Ask& ask_second, const std::function<void()>& start_afresh,
                const TrialSettings& settings);

/// Standard normal entries of the case's type: a pure function of the spec and the name.
std::vector<double> fresh_normals(const CaseSpec& spec, std::string_view name, std::size_t count);

}  // namespace attest::judge
