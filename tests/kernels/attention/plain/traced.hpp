// A number that remembers how it was made, so that any formula gives its exact gradient (reverse accumulation).
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace attest::attention::plain {

class Traced {
 public:
  Traced() : Traced(0.0) {}
  Traced(double value) : value_(value) {}  // NOLINT(google-explicit-constructor): a constant
  /// A variable, whose gradient can be asked for.
  static Traced variable(double value) { return Traced(value, {none, none}, {0, 0}); }
  double value() const { return value_; }
  std::int32_t node() const { return node_; }

  /// d result / d node for every node so far; the record is emptied.
  static std::vector<double> gradients(const Traced& result) {
    std::vector<double> adjoint(record().size(), 0.0);
    if (result.node_ != none) adjoint[static_cast<std::size_t>(result.node_)] = 1;
    for (std::size_t i = record().size(); i-- > 0;)
      for (std::size_t side = 0; side < 2; ++side) {
        if (record()[i].parent[side] == none) continue;
        adjoint[static_cast<std::size_t>(record()[i].parent[side])] += adjoint[i] * record()[i].partial[side];
      }
    record().clear();
    return adjoint;
  }

  friend Traced operator+(const Traced& a, const Traced& b) { return made(a.value_ + b.value_, a, 1, b, 1); }
  friend Traced operator-(const Traced& a, const Traced& b) { return made(a.value_ - b.value_, a, 1, b, -1); }
  friend Traced operator*(const Traced& a, const Traced& b) {
    return made(a.value_ * b.value_, a, b.value_, b, a.value_);
  }
  friend Traced operator/(const Traced& a, const Traced& b) {
    const double quotient = a.value_ / b.value_;
    return made(quotient, a, 1 / b.value_, b, -quotient / b.value_);
  }
  friend Traced operator-(const Traced& a) { return made(-a.value_, a, -1, Traced(), 0); }
  friend Traced exponent(const Traced& a) {
    const double e = std::exp(a.value_);
    return made(e, a, e, Traced(), 0);
  }
  friend Traced logarithm(const Traced& a) { return made(std::log(a.value_), a, 1 / a.value_, Traced(), 0); }
  friend Traced square_root(const Traced& a) {
    const double root = std::sqrt(a.value_);
    return made(root, a, 0.5 / root, Traced(), 0);
  }
  friend Traced magnitude(const Traced& a) { return a.value_ < 0 ? -a : a; }
  friend Traced maximum(const Traced& a, const Traced& b) { return a.value_ < b.value_ ? b : a; }
  friend bool operator<(const Traced& a, const Traced& b) { return a.value_ < b.value_; }
  friend Traced multiply_add(const Traced& acc, const Traced& a, const Traced& b) { return acc + a * b; }

 private:
  static constexpr std::int32_t none = -1;
  struct Node {
    std::array<std::int32_t, 2> parent;
    std::array<double, 2> partial;
  };
  static std::vector<Node>& record() {
    static thread_local std::vector<Node> nodes;
    return nodes;
  }
  Traced(double value, std::array<std::int32_t, 2> parent, std::array<double, 2> partial)
      : value_(value), node_(static_cast<std::int32_t>(record().size())) {
    record().push_back({parent, partial});
  }
  static Traced made(double value, const Traced& a, double da, const Traced& b, double db) {
    if (a.node_ == none && b.node_ == none) return Traced(value);
    return {value, {a.node_, b.node_}, {da, db}};
  }

  double value_ = 0;
  std::int32_t node_ = none;
};

}  // namespace attest::attention::plain
