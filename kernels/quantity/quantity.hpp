// What a quantity is to those who sweep it: a named function from named parameters, a seed and a number of samples to a
// few named results with intervals.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/statistics/interval.hpp"
#include "kernels/statistics/law_class.hpp"

namespace attest::quantities {

/// A parameter's value: a number or a word.
using Value = std::variant<double, std::string>;

/// "100000", "0.1", "gaussian": the shortest text that reads back as the same value.
std::string text(const Value& value);

/// One parameter: either a number of [least, largest] or one of a few words.
struct Parameter {
  enum class Kind : std::uint8_t { real, integer, word };

  std::string name;
  std::string meaning;  ///< one clause
  Kind kind = Kind::real;
  Value fallback;  ///< the default
  double least = 0, largest = 0;
  std::vector<std::string> words = {};
  /// Whether a word that is not in `words` is taken as well ("student_t(7)"); may throw std::invalid_argument itself.
  std::function<bool(const std::string&)> also = {};

  static Parameter real(std::string name, double fallback, double least, double largest, std::string meaning);
  /// Integers up to 2^53.
  static Parameter integer(std::string name, std::int64_t fallback, std::int64_t least, std::int64_t largest,
                           std::string meaning);
  static Parameter word(std::string name, std::string fallback, std::vector<std::string> words, std::string meaning);

  /// Errors: std::invalid_argument with one sentence naming the parameter, the value and what is taken.
  void check(const Value& value) const;
};

/// What a result is in a figure.
enum class Role : std::uint8_t {
  estimate,   ///< measured or computed: drawn as points with intervals
  reference,  ///< a formula to compare with (a paper's bound, a sharper one): drawn as a line
};

class Arguments;

/// The class of laws of one sample at these arguments, which is what the interval of the samples' mean rests on; none
/// where the result is computed at these arguments, not sampled.
using KnownLaw = std::function<std::optional<statistics::LawClass>(const Arguments&)>;

/// One result of a quantity.
struct ResultSpec {
  std::string name;
  std::string meaning;  ///< one clause; of a reference its source
  Role role = Role::estimate;
  KnownLaw known = {};  ///< of a sampled estimate; empty: nothing is known, its intervals are asymptotic
};

/// A result's value. Of a sampled quantity `interval` holds the truth with probability at least 1 - `error_level` after
/// every number of samples at once, so that samples may be added after a look, for all laws of the class that
/// `interval_class` names; asymptotic ones about so. Of a deterministic quantity it encloses the truth up to the
/// rounding that its kernel states, {value, value} where nothing is left open. A value that does not exist at these
/// parameters is NaN.
struct Outcome {
  double value = 0;
  statistics::Interval interval;

  static Outcome exact(double value) { return {value, {value, value}}; }
};

/// What a quantity gives at one point: every result by its name.
using Outcomes = std::map<std::string, Outcome, std::less<>>;

/// Probability with which a sampled outcome's interval may ever miss.
inline constexpr double error_level = 1e-3;

/// Values by name, complete and checked.
class Arguments {
 public:
  explicit Arguments(std::map<std::string, Value, std::less<>> values) : values_(std::move(values)) {}
  /// Errors of all three: std::logic_error for a name or kind that the quantity did not declare.
  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  /// All of them, by name.
  const std::map<std::string, Value, std::less<>>& values() const { return values_; }

 private:
  const Value& at(std::string_view name) const;
  std::map<std::string, Value, std::less<>> values_;
};

/// How a point is computed. `threads` and `on_cuda` never change a result.
struct Execution {
  std::uint64_t seed = 0;  ///< the point's own, made of the user's seed and the point's arguments: streams start here
  std::uint64_t samples = 0;  ///< in `Quantity::sample_unit`, at least 1; of a deterministic quantity without meaning
  unsigned threads = 1;
  bool on_cuda = false;  ///< draws and sums on a CUDA device, for a quantity that `runs_on_cuda`
};

/// A quantity as data.
struct Quantity {
  std::string name;     ///< as in a spec's `quantity = "..."`; snake_case
  std::string title;    ///< a few words
  std::string formula;  ///< TeX, without dollar signs
  std::string source;   ///< paper and equation, or where it is derived
  int version = 1;      ///< raised whenever the same arguments may give other results: stored points are then redone
  std::vector<Parameter> parameters;
  std::vector<ResultSpec> results;
  std::uint64_t default_samples = 0;  ///< 0: deterministic, neither seed nor samples matter
  std::string sample_unit = {};       ///< "samples", "matrices"
  bool runs_on_cuda = false;  ///< whether Execution::on_cuda is heeded: with the same bits, or device::CudaFailure
  /// One outcome for every result. A pure function of its arguments without `threads`; called from several
  /// threads at once. May throw std::invalid_argument for arguments that do not fit each other.
  std::function<Outcomes(const Arguments&, const Execution&)> evaluate;

  bool deterministic() const { return default_samples == 0; }
};

/// All quantities, in the order of kernels/CMakeLists.txt, those that it does not name last.
const std::vector<Quantity>& quantities();

/// Errors: std::invalid_argument naming what was asked for and the nearest known names.
const Quantity& find_quantity(std::string_view name);

/// `given` completed by the defaults and checked. Errors: std::invalid_argument in one sentence for a name the quantity
/// does not have or a value it does not take.
Arguments complete(const Quantity& quantity, const std::map<std::string, Value, std::less<>>& given);

/// Errors: std::logic_error for a name that is none of the quantity's results.
const ResultSpec& result_named(const Quantity& quantity, std::string_view name);

/// The class that the interval of one of the quantity's results rests on; none for an enclosure: of deterministic
/// quantities, references, and where `known` says so.
std::optional<statistics::LawClass> interval_class(const Quantity& quantity, const ResultSpec& result,
                                                   const Arguments& arguments);

/// The class as a word: "enclosure", or that of statistics::name ("range", "variance", "asymptotic").
const char* interval_word(const std::optional<statistics::LawClass>& known);

/// Evaluates, and checks that there is an outcome for every result and no other, and that each interval holds its
/// value. Errors: std::logic_error otherwise; those of the quantity pass through.
Outcomes evaluate(const Quantity& quantity, const Arguments& arguments, const Execution& execution);

}  // namespace attest::quantities
