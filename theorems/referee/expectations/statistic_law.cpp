#include "theorems/referee/expectations/statistic_law.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#if __has_include(<flint/arb_hypgeom.h>)
#include <flint/arb_hypgeom.h>
#else
#include <arb_hypgeom.h>
#endif

#include "theorems/referee/expectations/integral_of_power.hpp"
#include "theorems/referee/expectations/random_draws.hpp"
#include "theorems/referee/expectations/standard_series.hpp"

namespace attest::referee {
namespace {

using rigor::Ball;

/// 0 = ends.front(), then multiples of a size, then far out.
std::vector<double> outward(double size, double last) {
  std::vector<double> ends{0};
  for (const double k : {0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 40.0}) ends.push_back(k * size);
  ends.push_back(last);
  return ends;
}

std::vector<double> both_ways() {
  return {-2048, -100, -24, -9, -6, -4, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 4, 6, 9, 24, 100, 2048};
}

/// Gamma(s, x)/Gamma(s).
Ball upper_gamma_share(const Ball& s, const Ball& x) {
  Ball share;
  arb_hypgeom_gamma_upper(share.raw(), s.raw(), x.raw(), 1, rigor::working_precision());
  return share;
}

/// (z - c)^k f from a to b, from f at both ends.
std::vector<Ball> jumps_of(double a, double b, const Ball& at_a, const Ball& at_b, int count) {
  const Ball middle((a + b) / 2);
  std::vector<Ball> jumps;
  Ball low = at_a, high = at_b;
  for (int k = 0; k < count; ++k) {
    jumps.push_back(high - low);
    low *= Ball(a) - middle;
    high *= Ball(b) - middle;
  }
  return jumps;
}

Ball not_finite() { return Ball(1) / Ball(0); }

class Normal final : public StatisticLaw {
 public:
  std::vector<double> ends() const override { return both_ways(); }
  Ball mass(double a, double b) const override { return standard_mass("normal", Ball(a), Ball(b)); }
  Ball moment(double a, double b) const override { return standard_moment("normal", Ball(a), Ball(b)); }

 private:
  std::vector<Ball> about(double a, double b, int count) const override {
    return standard_moments("normal", a, b, count);
  }
};

/// A sum of numbers uniform on [0, width]: by the repeated integrals of its density.
class SumOfUniforms : public StatisticLaw {
 public:
  Ball mass(double a, double b) const override { return integral(b, count()) - integral(a, count()); }
  Ball moment(double a, double b) const override {
    const int n = count();
    return Ball(b) * integral(b, n) - Ball(a) * integral(a, n) - (integral(b, n + 1) - integral(a, n + 1));
  }

 private:
  virtual int count() const = 0;
  /// P(z <= x) for power count(), its integral for the next.
  virtual Ball integral(double x, int power) const = 0;
};

/// Of equal widths 1.
class SumOfEqualUniforms final : public SumOfUniforms {
 public:
  explicit SumOfEqualUniforms(int n) : n_(n) {}
  std::vector<double> ends() const override {
    std::vector<double> ends;
    for (int k = 0; k <= 2 * n_; ++k) ends.push_back(0.5 * k);
    return ends;
  }

 private:
  int count() const override { return n_; }
  /// sum_k (-1)^k C(n, k) (x - k)_+^power / power!
  Ball integral(double x, int power) const override {
    Ball sum, binomial(1);
    for (int k = 0; k < x && k <= n_; ++k) {
      const Ball term = binomial * rigor::pow(Ball(x) - Ball(k), power);
      sum += k % 2 == 0 ? term : -term;
      binomial = binomial * Ball(n_ - k) / Ball(k + 1);
    }
    return sum / rigor::gamma(Ball(power + 1));
  }
  int n_;
};

/// Of widths that differ: the volume under a plane of a box, by its corners.
class SumOfUnequalUniforms final : public SumOfUniforms {
 public:
  explicit SumOfUnequalUniforms(std::vector<Ball> widths) : widths_(std::move(widths)), corners_{Ball(0)} {
    for (const Ball& width : widths_) {
      volume_ *= width;
      const std::size_t count = corners_.size();
      for (std::size_t k = 0; k < count; ++k) corners_.push_back(corners_[k] + width);
    }
  }
  std::vector<double> ends() const override {
    std::vector<double> ends{0};
    for (const Ball& corner : corners_) ends.push_back(corner.upper());
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

 private:
  int count() const override { return static_cast<int>(widths_.size()); }
  /// sum over corners s of (-1)^|s| (x - s)_+^power / (power! times the widths' product)
  Ball integral(double x, int power) const override {
    Ball sum;
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const Ball term = rigor::pow(rigor::max(Ball(x) - corners_[k], Ball(0)), power);
      sum += std::popcount(k) % 2 == 0 ? term : -term;
    }
    return sum / (rigor::gamma(Ball(power + 1)) * volume_);
  }

  std::vector<Ball> widths_, corners_;  ///< corner k holds the widths of k's bits
  Ball volume_ = Ball(1);
};

class GammaLaw final : public StatisticLaw {
 public:
  explicit GammaLaw(double shape) : shape_(shape) {}
  std::vector<double> ends() const override { return outward(shape_, 0x1p20); }
  Ball mass(double a, double b) const override { return above(a, Ball(shape_)) - above(b, Ball(shape_)); }
  Ball moment(double a, double b) const override {
    const Ball next = Ball(shape_) + Ball(1);
    return Ball(shape_) * (above(a, next) - above(b, next));
  }

 private:
  static Ball above(double x, const Ball& shape) { return upper_gamma_share(shape, Ball(x)); }
  /// By parts, from z f' = (shape - 1 - z) f of the density f.
  std::vector<Ball> about(double a, double b, int count) const override {
    const Ball s(shape_), c((a + b) / 2);
    const auto density = [&](double z) {  // times z
      return z == 0 ? Ball(0) : rigor::pow(Ball(z), s) * rigor::exp(-Ball(z)) / rigor::gamma(s);
    };
    const std::vector<Ball> jumps = jumps_of(a, b, density(a), density(b), count);
    std::vector<Ball> moments{mass(a, b)};
    for (int k = 0; k + 1 < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      Ball next = (Ball(k) + s - c) * moments[at] - jumps[at];
      if (k > 0) next += Ball(k) * c * moments[at - 1];
      moments.push_back(next);
    }
    return moments;
  }
  double shape_;
};

class NormOfNormals final : public StatisticLaw {
 public:
  explicit NormOfNormals(int n) : n_(n) {}
  std::vector<double> ends() const override { return outward(std::sqrt(n_), 2048); }
  Ball mass(double a, double b) const override { return above(a, n_) - above(b, n_); }
  Ball moment(double a, double b) const override {
    const Ball half = Ball(n_) / Ball(2);
    return rigor::sqrt(Ball(2)) * rigor::gamma(half + Ball(0.5)) / rigor::gamma(half) *
           (above(a, n_ + 1) - above(b, n_ + 1));
  }

 private:
  static Ball above(double x, int n) { return upper_gamma_share(Ball(n) / Ball(2), rigor::square(Ball(x)) / Ball(2)); }
  /// By parts, from z f' = (n - 1 - z^2) f of the density f.
  std::vector<Ball> about(double a, double b, int count) const override {
    const Ball n(n_), half = n / Ball(2), c((a + b) / 2);
    const auto density = [&](double z) {  // times z
      return Ball(2) * rigor::pow(Ball(z) / rigor::sqrt(Ball(2)), n_) * rigor::exp(-rigor::square(Ball(z)) / Ball(2)) /
             rigor::gamma(half);
    };
    const std::vector<Ball> jumps = jumps_of(a, b, density(a), density(b), count);
    std::vector<Ball> moments{mass(a, b)};
    moments.push_back(moment(a, b) - c * moments[0]);
    for (int k = 0; k + 2 < count; ++k) {
      const auto at = static_cast<std::size_t>(k);
      Ball next = (Ball(k) + n - c * c) * moments[at] - Ball(2) * c * moments[at + 1] - jumps[at];
      if (k > 0) next += Ball(k) * c * moments[at - 1];
      moments.push_back(next);
    }
    return moments;
  }
  int n_;
};

class ExtremeLaw final : public StatisticLaw {
 public:
  ExtremeLaw(std::string name, int n, Extreme extreme) : name_(std::move(name)), n_(n), extreme_(extreme) {}

  std::vector<double> ends() const override {
    if (name_ == "uniform") return {0, 0.25, 0.5, 0.75, 1};
    if (name_ == "exponential") return outward(1 + std::log(n_), 0x1p20);
    return extreme_ == Extreme::largest_size ? outward(2, 2048) : both_ways();
  }
  Ball mass(double a, double b) const override {
    const Ball difference = all_stay(Ball(b)) - all_stay(Ball(a));
    return rigor::max(extreme_ == Extreme::least ? -difference : difference, Ball(0));
  }
  Ball moment(double a, double b) const override {
    const std::vector<Ball> both = about(a, b, 2);
    return both[1] + Ball((a + b) / 2) * both[0];
  }

 private:
  /// How likely one number stays on the near side of z.
  Ball stay(const Ball& z) const {
    Ball below = z;  // uniform
    if (name_ == "exponential") below = Ball(1) - rigor::exp(-z);
    if (name_ == "normal") below = (Ball(1) + rigor::erf(z / rigor::sqrt(Ball(2)))) / Ball(2);
    if (extreme_ == Extreme::largest_size) return Ball(2) * below - Ball(1);
    return extreme_ == Extreme::least ? Ball(1) - below : below;
  }
  Ball all_stay(const Ball& z) const { return rigor::pow(stay(z), n_); }

  /// By parts, with the integrals of (z - c)^(k - 1) times the chance that all stay.
  std::vector<Ball> about(double a, double b, int count) const override {
    const Chance chance = name_ == "uniform"                  ? Chance::uniform
                          : name_ == "exponential"            ? Chance::exponential
                          : extreme_ == Extreme::largest_size ? Chance::normal_size
                                                              : Chance::normal;
    const std::vector<Ball> jumps = jumps_of(a, b, all_stay(Ball(a)), all_stay(Ball(b)), count);
    std::vector<Ball> moments{mass(a, b)};
    // What has next to no mass needs no integral: the interval's length says enough.
    constexpr double next_to_none = 0x1p-120;
    if (moments[0].upper() * (b - a) < next_to_none) {
      moments.resize(static_cast<std::size_t>(count), not_finite());
      return moments;
    }
    const std::vector<Ball> integrals = integrals_of_power({chance, extreme_ == Extreme::least, n_}, a, b, count - 1);
    for (int k = 1; k < count; ++k) {
      const Ball by_parts = jumps[static_cast<std::size_t>(k)] - Ball(k) * integrals[static_cast<std::size_t>(k - 1)];
      moments.push_back(extreme_ == Extreme::least ? -by_parts : by_parts);
    }
    return moments;
  }

  std::string name_;
  int n_;
  Extreme extreme_;
};

}  // namespace

std::vector<Ball> StatisticLaw::about(double a, double b, int) const {
  const Ball all = mass(a, b);
  return {all, moment(a, b) - Ball((a + b) / 2) * all};
}

std::vector<Ball> StatisticLaw::moments_about_middle(double a, double b, int count) const {
  // Each step of a recursion cancels about as many leading bits as the interval is narrow.
  const rigor::PrecisionScope precision((count > 2 ? 3 : 1) * rigor::working_precision());
  const double c = (a + b) / 2;
  std::vector<Ball> moments = about(a, b, count);
  const Ball all = moments.front(), reach = rigor::max(Ball(b) - Ball(c), Ball(c) - Ball(a));
  Ball most = all;
  for (std::size_t k = 0; k < moments.size(); ++k, most *= reach) {
    const Ball possible = Ball::hull(k % 2 == 0 ? Ball(0) : -most, most);
    if (!moments[k].is_finite() || moments[k].radius() > possible.radius()) moments[k] = possible;
  }
  return moments;
}

LawPointer normal_law() { return std::make_unique<Normal>(); }
LawPointer sum_of_uniforms(int n) { return std::make_unique<SumOfEqualUniforms>(n); }
LawPointer sum_of_uniforms(std::vector<Ball> widths) {
  return std::make_unique<SumOfUnequalUniforms>(std::move(widths));
}
LawPointer gamma_law(double shape) { return std::make_unique<GammaLaw>(shape); }
LawPointer norm_of_normals(int n) { return std::make_unique<NormOfNormals>(n); }

LawPointer extreme_of(const std::string& name, int n, Extreme extreme) {
  const bool known =
      name == "normal" || (extreme != Extreme::largest_size && (name == "uniform" || name == "exponential"));
  return known ? std::make_unique<ExtremeLaw>(name, n, extreme) : nullptr;
}

}  // namespace attest::referee
