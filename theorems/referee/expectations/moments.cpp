#include "theorems/referee/expectations/moments.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "theorems/language/algebra/algebraist.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"
#include "theorems/referee/proof/polynomials.hpp"

namespace attest::referee {
namespace {

using language::Fraction;
using language::Polynomial;
using rigor::Ball;
using rigor::Rational;

constexpr language::AlgebraLimits limits{.variables = 400, .terms = 10'000, .term_products = 1'000'000};

/// A polynomial as a list of terms, for evaluation.
struct Terms {
  struct Term {
    Rational coefficient;
    double rounded;
    std::vector<std::pair<std::size_t, ulong>> powers;
  };
  std::vector<Term> terms;

  explicit Terms(const Polynomial& p) {
    for (std::size_t t = 0; t < p.terms(); ++t) {
      Term term{p.term(t).first, 0, {}};
      term.rounded = term.coefficient.to_double();
      const std::vector<ulong> powers = powers_of(p, t);
      for (std::size_t v = 0; v < powers.size(); ++v)
        if (powers[v] > 0) term.powers.emplace_back(v, powers[v]);
      terms.push_back(std::move(term));
    }
  }

  template <typename Number, typename Coefficient>
  Number at(std::span<const double> raw, const Coefficient& coefficient) const {
    Number sum(0.0);
    for (const Term& term : terms) {
      Number product = coefficient(term);
      for (const auto& [v, power] : term.powers)
        for (ulong k = 0; k < power; ++k) product *= Number(raw[v]);
      sum += product;
    }
    return sum;
  }
  double in_doubles(std::span<const double> raw) const {
    return at<double>(raw, [](const Term& t) { return t.rounded; });
  }
  Ball in_balls(std::span<const double> raw) const {
    return at<Ball>(raw, [](const Term& t) { return t.coefficient.to_ball(); });
  }
};

/// A root or a function is left that is not a rational number: sqrt(2), not its square.
bool has_unknown(const language::Algebraist& algebra, const Fraction& x) {
  return std::ranges::any_of(algebra.opaque(), [&](const language::Opaque& o) {
    return degree_in(x.top, o.variable) > 0 || degree_in(x.bottom, o.variable) > 0;
  });
}

/// E[x^order] under laws whose arguments are rational functions.
class Laws {
 public:
  explicit Laws(language::Algebraist& algebra) : algebra_(algebra) {}

  /// Errors: std::domain_error for a law without known moments; language::TooLarge.
  const Fraction& moment(const RandomNumber& number, ulong order) {
    const auto key = std::make_pair(number.input->offset, order);
    const auto found = known_.find(key);
    return found != known_.end() ? found->second : known_.emplace(key, computed(*number.input, order)).first->second;
  }

 private:
  Fraction number(const Rational& x) const { return {algebra_.ring(), x}; }

  Fraction computed(const language::RawInput& input, ulong order) {
    const std::string& law = input.law.name;
    const auto k = static_cast<std::int64_t>(order);
    const auto argument = [&](std::size_t i) { return algebra_.entries(input.law_arguments.at(i)).at(0); };
    if (law == "rademacher") return number(k % 2 == 0 ? 1 : 0);
    if (law == "bernoulli") return k == 0 ? number(1) : argument(0);
    if (law == "exponential") {
      Fraction product = number(1);
      for (std::int64_t j = 1; j <= k; ++j) product = product * number(j) / argument(0);
      return product;
    }
    if (law == "uniform") {  // (a^k + a^(k-1) b + ... + b^k)/(k + 1)
      Fraction sum = number(0);
      for (std::int64_t j = 0; j <= k; ++j) sum = sum + power(argument(0), j) * power(argument(1), k - j);
      return sum / number(k + 1);
    }
    if (law == "normal") {  // E[x^k] = m E[x^(k-1)] + (k - 1) s^2 E[x^(k-2)]
      Fraction before = number(1), last = k == 0 ? number(1) : argument(0);
      for (std::int64_t j = 2; j <= k; ++j) {
        Fraction next = argument(0) * last + number(j - 1) * argument(1) * argument(1) * before;
        before = std::exchange(last, std::move(next));
      }
      return last;
    }
    if (law == "poisson") {  // E[x^(k+1)] = rate * sum_j C(k, j) E[x^j]
      if (k == 0) return number(1);
      Fraction sum = number(0);
      Rational ways(1);
      for (std::int64_t j = 0; j < k; ++j) {
        sum = sum + number(ways) * computed(input, static_cast<ulong>(j));
        ways = ways * Rational(k - 1 - j) / Rational(j + 1);
      }
      return argument(0) * sum;
    }
    if (law == "chi_squared") {  // d (d + 2) ... (d + 2 k - 2)
      Fraction product = number(1);
      for (std::int64_t j = 0; j < k; ++j) product = product * (argument(0) + number(2 * j));
      return product;
    }
    if (law == "laplace") {  // sum over even j of C(k, j) m^(k-j) s^j j!
      Fraction sum = number(0);
      Rational falling(1);  // k (k - 1) ... (k - j + 1) = C(k, j) j!
      for (std::int64_t j = 0; j <= k; ++j) {
        if (j % 2 == 0) sum = sum + number(falling) * power(argument(0), k - j) * power(argument(1), j);
        falling = falling * Rational(k - j);
      }
      return sum;
    }
    throw std::domain_error("no moments of this law are known here");
  }

  language::Algebraist& algebra_;
  std::map<std::pair<std::size_t, ulong>, Fraction> known_;
};

}  // namespace

struct Moments::Means {
  std::vector<std::pair<Terms, Terms>> quotients;
};

Moments::Moments(std::unique_ptr<Means> means) : means_(std::move(means)) {}
Moments::Moments(Moments&&) noexcept = default;
Moments& Moments::operator=(Moments&&) noexcept = default;
Moments::~Moments() = default;

std::optional<Moments> Moments::of(const language::Program& program) {
  const std::vector<RandomNumber> numbers = random_numbers(program);
  const std::size_t variables = language::algebra_variables(program);
  if (variables > limits.variables) return std::nullopt;
  auto means = std::make_unique<Means>();
  try {
    language::Algebraist algebra(program, limits, variables);
    Laws laws(algebra);
    for (const language::Expectation& expectation : program.expectations()) {
      if (expectation.probability) return std::nullopt;
      const Fraction integrand = algebra.reduced(algebra.entries(expectation.integrand).at(0));
      if (has_unknown(algebra, integrand)) return std::nullopt;
      for (const RandomNumber& number : numbers)
        if (degree_in(integrand.bottom, number.coordinate) > 0) return std::nullopt;
      Fraction mean(algebra.ring());
      for (std::size_t t = 0; t < integrand.top.terms(); ++t) {
        const std::vector<ulong> powers = powers_of(integrand.top, t);
        std::vector<ulong> fixed = powers;
        for (const RandomNumber& number : numbers) fixed[number.coordinate] = 0;
        Polynomial monomial(algebra.ring());
        fmpq_mpoly_push_term_fmpq_ui(monomial.raw(), integrand.top.term(t).first.raw(), fixed.data(),
                                     algebra.ring().raw());
        Fraction term(std::move(monomial));
        for (const RandomNumber& number : numbers)
          if (powers[number.coordinate] > 0) term = term * laws.moment(number, powers[number.coordinate]);
        mean = mean + term;
      }
      mean = algebra.reduced(mean / Fraction(integrand.bottom));
      if (has_unknown(algebra, mean)) return std::nullopt;
      means->quotients.emplace_back(Terms(mean.top), Terms(mean.bottom));
    }
  } catch (const language::TooLarge&) {
    return std::nullopt;
  } catch (const std::domain_error&) {
    return std::nullopt;
  }
  return Moments(std::move(means));
}

std::vector<double> Moments::in_doubles(std::span<const double> raw) const {
  std::vector<double> values;
  for (const auto& [top, bottom] : means_->quotients) values.push_back(top.in_doubles(raw) / bottom.in_doubles(raw));
  return values;
}

std::vector<Ball> Moments::in_balls(std::span<const double> raw) const {
  const rigor::PrecisionScope precision(256);
  std::vector<Ball> values;
  for (const auto& [top, bottom] : means_->quotients) values.push_back(top.in_balls(raw) / bottom.in_balls(raw));
  return values;
}

}  // namespace attest::referee
