#include "theorems/referee/expectations/integral_of_power.hpp"

#if __has_include(<flint/acb_calc.h>)
#include <flint/acb_calc.h>
#include <flint/acb_hypgeom.h>
#else
#include <acb_calc.h>
#include <acb_hypgeom.h>
#endif

namespace attest::referee {
namespace {

/// The integrand's parameters.
struct Integrand {
  PowerOfChance power;
  arf_t middle;
  ulong factors = 0;  ///< of z - c
};

/// F(z) at a complex number.
void chance(acb_t out, const acb_t z, const PowerOfChance& power, slong precision) {
  if (power.chance == Chance::uniform) {
    acb_set(out, z);
  } else if (power.chance == Chance::exponential) {
    acb_neg(out, z);
    acb_expm1(out, out, precision);
    acb_neg(out, out);
  } else {
    arb_t root;
    arb_init(root);
    arb_sqrt_ui(root, 2, precision);
    acb_div_arb(out, z, root, precision);
    arb_clear(root);
    acb_hypgeom_erf(out, out, precision);
    if (power.chance == Chance::normal) {
      acb_add_ui(out, out, 1, precision);
      acb_mul_2exp_si(out, out, -1);
    }
  }
  if (power.above) acb_sub_ui(out, out, 1, precision);
  if (power.above) acb_neg(out, out);
}

/// All of it is entire, so `order` asks for nothing.
int integrand(acb_ptr out, const acb_t z, void* parameters, slong /*order*/, slong precision) {
  const auto& of = *static_cast<const Integrand*>(parameters);
  acb_t factor;
  acb_init(factor);
  arb_t middle;
  arb_init(middle);
  arb_set_arf(middle, of.middle);
  acb_sub_arb(factor, z, middle, precision);
  acb_pow_ui(factor, factor, of.factors, precision);
  chance(out, z, of.power, precision);
  acb_pow_ui(out, out, static_cast<ulong>(of.power.count), precision);
  acb_mul(out, out, factor, precision);
  arb_clear(middle);
  acb_clear(factor);
  return 0;
}

}  // namespace

std::vector<rigor::Ball> integrals_of_power(const PowerOfChance& power, double a, double b, int terms) {
  const slong precision = rigor::working_precision();
  std::vector<rigor::Ball> integrals;
  Integrand of;
  of.power = power;
  arf_init(of.middle);
  arf_set_d(of.middle, (a + b) / 2);
  acb_t from, to, value;
  acb_init(from);
  acb_init(to);
  acb_init(value);
  acb_set_d(from, a);
  acb_set_d(to, b);
  mag_t tolerance;
  mag_init(tolerance);
  // Far below what a mean asks for, far above what the working precision can tell.
  constexpr slong bits = 100;
  mag_set_ui_2exp_si(tolerance, 1, -bits);
  for (int k = 0; k < terms; ++k) {
    of.factors = static_cast<ulong>(k);
    rigor::Ball result;
    acb_calc_integrate(value, integrand, &of, from, to, bits, tolerance, nullptr, precision);
    arb_set(result.raw(), acb_realref(value));
    integrals.push_back(result);
  }
  mag_clear(tolerance);
  acb_clear(value);
  acb_clear(to);
  acb_clear(from);
  arf_clear(of.middle);
  return integrals;
}

}  // namespace attest::referee
