// The shared elementary functions against MPFR: largest errors in units in the last place, over each range.
//   accuracy_table [points a range]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include <mpfr.h>

#include "kernels/elementary/exponential.hpp"
#include "kernels/elementary/logarithm.hpp"
#include "kernels/elementary/sine_cosine.hpp"
#include "kernels/random/normal_quantile.hpp"
#include "kernels/random/stream.hpp"

namespace {

using namespace attest;

constexpr int digits = 200;  // Bits of the reference.

class Reference {
 public:
  Reference() { mpfr_init2(value, digits), mpfr_init2(other, digits); }
  ~Reference() { mpfr_clears(value, other, nullptr); }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;
  mpfr_t value, other;
};

// |computed - r.value| in units in the last place of the truth as a T, or of numbers just below 1.
template <typename T>
double error(Reference& r, T computed, bool of_one) {
  const T truth = static_cast<T>(mpfr_get_d(r.value, MPFR_RNDN));
  const T magnitude = of_one ? T(0.75) : std::fabs(truth);
  const double unit = static_cast<double>(std::nextafter(magnitude, std::numeric_limits<T>::infinity()) - magnitude);
  mpfr_sub_d(r.other, r.value, static_cast<double>(computed), MPFR_RNDN);
  return std::fabs(mpfr_get_d(r.other, MPFR_RNDN)) / unit;
}

template <typename T>
void row(const char* function, double low, double high, bool geometric, int points, const std::function<T(T)>& computed,
         const std::function<void(Reference&, double)>& truth, bool of_one = false) {
  Reference r;
  random::Stream stream(1, random::stream_key(function), 0);
  double worst = 0, sum = 0, at = 0;
  int used = 0;
  for (int i = 0; i < points; ++i) {
    const double u = stream.uniform();
    const T x = static_cast<T>(geometric ? std::exp(std::log(low) + u * (std::log(high) - std::log(low)))
                                         : low + (high - low) * u);
    if (!(static_cast<double>(x) >= low && static_cast<double>(x) <= high)) continue;
    truth(r, static_cast<double>(x));
    const double e = error<T>(r, computed(x), of_one);
    sum += e;
    ++used;
    if (e > worst) worst = e, at = static_cast<double>(x);
  }
  std::printf("%-22s %-8s [%9.3g, %9.3g] %9d %9.3f %9.3f   %.17g\n", function, sizeof(T) == 8 ? "float64" : "float32",
              low, high, used, sum / used, worst, at);
}

void circle(Reference& r, double u, bool sine) {
  mpfr_const_pi(r.value, MPFR_RNDN);
  mpfr_mul_d(r.value, r.value, 2 * u, MPFR_RNDN);
  sine ? mpfr_sin(r.value, r.value, MPFR_RNDN) : mpfr_cos(r.value, r.value, MPFR_RNDN);
}

// The normal quantile by two steps of Newton's method on MPFR's erfc from the computed value, which they square twice.
void quantile(Reference& r, double u) {
  mpfr_t z, root, density;
  mpfr_inits2(digits, z, root, density, nullptr);
  mpfr_set_d(z, random::normal_quantile(u), MPFR_RNDN);
  mpfr_set_ui(root, 2, MPFR_RNDN);
  mpfr_sqrt(root, root, MPFR_RNDN);
  for (int step = 0; step < 3; ++step) {
    mpfr_div(r.value, z, root, MPFR_RNDN);
    mpfr_neg(r.value, r.value, MPFR_RNDN);
    mpfr_erfc(r.value, r.value, MPFR_RNDN);
    mpfr_div_ui(r.value, r.value, 2, MPFR_RNDN);
    mpfr_sub_d(r.value, r.value, u, MPFR_RNDN);
    mpfr_sqr(density, z, MPFR_RNDN);
    mpfr_div_si(density, density, -2, MPFR_RNDN);
    mpfr_exp(density, density, MPFR_RNDN);
    mpfr_const_pi(r.other, MPFR_RNDN);
    mpfr_mul_ui(r.other, r.other, 2, MPFR_RNDN);
    mpfr_sqrt(r.other, r.other, MPFR_RNDN);
    mpfr_div(density, density, r.other, MPFR_RNDN);
    mpfr_div(r.value, r.value, density, MPFR_RNDN);
    mpfr_sub(z, z, r.value, MPFR_RNDN);
  }
  mpfr_set(r.value, z, MPFR_RNDN);
  mpfr_clears(z, root, density, nullptr);
}

template <typename T>
void table(int points) {
  const auto with = [](int (*function)(mpfr_t, const mpfr_t, mpfr_rnd_t)) {
    return [function](Reference& r, double x) {
      mpfr_set_d(r.value, x, MPFR_RNDN);
      function(r.value, r.value, MPFR_RNDN);
    };
  };
  const double largest = sizeof(T) == 8 ? 700 : 80, least = sizeof(T) == 8 ? 1e-300 : 1e-37;
  const auto exp = [](T x) { return elementary::exponential(x); };
  const auto expm1 = [](T x) { return elementary::exponential_minus_one(x); };
  const auto log = [](T x) { return elementary::logarithm(x); };
  row<T>("exp", -largest, largest, false, points, exp, with(mpfr_exp));
  row<T>("exp", -1, 1, false, points, exp, with(mpfr_exp));
  row<T>("exp(x) - 1", -largest, largest, false, points, expm1, with(mpfr_expm1));
  row<T>("exp(x) - 1", -1, 1, false, points, expm1, with(mpfr_expm1));
  row<T>("exp(x) - 1", least * 1e5, 1, true, points, expm1, with(mpfr_expm1));
  row<T>("log", least, 1 / least, true, points, log, with(mpfr_log));
  row<T>("log", 0.5, 2, false, points, log, with(mpfr_log));
  // Near their zeros the rounding of u counts, so the unit is that of numbers just below 1.
  for (const bool sine : {false, true}) {
    row<T>(
        sine ? "sin(2 pi u), of 1" : "cos(2 pi u), of 1", 1e-6, 1 - 1e-6, false, points,
        [sine](T u) {
          const auto point = elementary::circle_point(u);
          return sine ? point.sine : point.cosine;
        },
        [sine](Reference& r, double u) { circle(r, u, sine); }, true);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int points = argc > 1 ? std::stoi(argv[1]) : 100'000;
  std::printf("%-22s %-8s %-22s %9s %9s %9s   %s\n", "function", "type", "range", "points", "mean ulp", "max ulp",
              "at");
  table<double>(points);
  table<float>(points);
  const auto inverse = [](double u) { return random::normal_quantile(u); };
  row<double>("normal quantile", 1e-16, 0.4, true, points / 10, inverse, quantile);
  row<double>("normal quantile", 0.075, 0.499, false, points / 10, inverse, quantile);
  mpfr_free_cache();
  return 0;
}
