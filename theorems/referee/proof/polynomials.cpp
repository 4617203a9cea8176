#include "theorems/referee/proof/polynomials.hpp"

#include <algorithm>

#if __has_include(<flint/fmpq_mpoly_factor.h>)
#include <flint/fmpq_mpoly_factor.h>
#else
#include <fmpq_mpoly_factor.h>
#endif

namespace attest::referee {

using language::Polynomial;
using rigor::Rational;

namespace {

constexpr std::size_t most_terms = 300;  ///< of a polynomial that is factored

}  // namespace

std::vector<ulong> powers_of(const Polynomial& p, std::size_t term) {
  std::vector<ulong> powers(std::max<std::size_t>(p.ring().variables(), 1));
  fmpq_mpoly_get_term_exp_ui(powers.data(), p.raw(), static_cast<slong>(term), p.ring().raw());
  return powers;
}

std::size_t degree_in(const Polynomial& p, std::size_t variable) {
  return p.is_zero()
             ? 0
             : static_cast<std::size_t>(fmpq_mpoly_degree_si(p.raw(), static_cast<slong>(variable), p.ring().raw()));
}

Polynomial coefficient_of(const Polynomial& p, std::size_t variable, ulong power) {
  Polynomial result(p.ring());
  for (std::size_t t = 0; t < p.terms(); ++t) {
    std::vector<ulong> powers = powers_of(p, t);
    if (powers[variable] != power) continue;
    powers[variable] = 0;
    fmpq_mpoly_push_term_fmpq_ui(result.raw(), p.term(t).first.raw(), powers.data(), p.ring().raw());
  }
  fmpq_mpoly_sort_terms(result.raw(), p.ring().raw());
  fmpq_mpoly_combine_like_terms(result.raw(), p.ring().raw());
  return result;
}

Polynomial substituted(const Polynomial& p, std::size_t variable, const Polynomial& other) {
  Polynomial result(p.ring());
  for (std::size_t k = degree_in(p, variable) + 1; k-- > 0;) result = result * other + coefficient_of(p, variable, k);
  return result;
}

std::vector<Factor> factors_of(const Polynomial& p, int& constant) {
  if (p.terms() > most_terms) return {{p, false}};
  const auto* ring = p.ring().raw();
  fmpq_mpoly_factor_t found;
  fmpq_mpoly_factor_init(found, ring);
  std::vector<Factor> factors;
  if (fmpq_mpoly_factor(found, p.raw(), ring) == 0) {
    factors.push_back({p, false});
  } else {
    Rational leading;
    fmpq_mpoly_factor_get_constant_fmpq(leading.raw(), found, ring);
    constant *= fmpq_sgn(leading.raw());
    for (slong k = 0; k < fmpq_mpoly_factor_length(found, ring); ++k) {
      Polynomial base(p.ring());
      fmpq_mpoly_factor_get_base(base.raw(), found, k, ring);
      factors.push_back({std::move(base), fmpq_mpoly_factor_get_exp_si(found, k, ring) % 2 == 0});
    }
  }
  fmpq_mpoly_factor_clear(found, ring);
  return factors;
}

}  // namespace attest::referee
