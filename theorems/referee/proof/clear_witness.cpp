#include "theorems/referee/proof/clear_witness.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace attest::referee {
namespace {

using Numbers = std::vector<double>;
using Predicate = std::function<bool(std::span<const double>)>;

class Clearing {
 public:
  Clearing(Numbers raw, const Predicate& good_enough, std::int64_t most)
      : raw_(std::move(raw)), good_enough_(good_enough), left_(most) {}

  bool accept(const Numbers& tried) {
    if (tried == raw_) return true;
    if (left_-- <= 0 || !good_enough_(tried)) return false;
    raw_ = tried;
    return true;
  }

  /// All numbers of one variable, or of all, to few digits at once.
  void round_together(std::size_t begin, std::size_t end) {
    for (int digits = 1; digits <= 6; ++digits) {
      Numbers tried = raw_;
      for (std::size_t i = begin; i < end; ++i) tried[i] = round_to_decimals(raw_[i], digits);
      if (accept(tried)) return;
    }
  }

  /// All numbers of a variable on one grid of decimals: 0.1, 0.01, ...
  void round_to_grid(std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(raw_[i]));
    if (!(largest > 0)) return;
    const int top = static_cast<int>(std::floor(std::log10(largest)));
    for (int digits = 1; digits <= 5; ++digits) {
      const double unit = std::pow(10.0, top + 1 - digits);
      Numbers tried = raw_;
      for (std::size_t i = begin; i < end; ++i)
        tried[i] = round_to_decimals(std::round(raw_[i] / unit) * unit, std::max(1, digits + 1));
      if (accept(tried)) return;
    }
  }

  void shorten_each(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end && left_ > 0; ++i) {
      if (raw_[i] == 0) continue;
      Numbers tried = raw_;
      tried[i] = 0;
      if (accept(tried)) continue;
      if (i > begin && raw_[i] != raw_[i - 1]) {
        tried = raw_;
        tried[i] = raw_[i - 1];
        if (accept(tried)) continue;
      }
      for (int digits = 1; digits <= 4; ++digits) {
        tried = raw_;
        tried[i] = round_to_decimals(raw_[i], digits);
        if (accept(tried)) break;
      }
    }
  }

  /// Variables of one shape that nearly agree are drawn apart as far as it goes.
  void draw_apart(const language::RawInput& fixed, const language::RawInput& moved) {
    for (double factor = 1e6; factor > 5; factor /= 10) {
      Numbers tried = raw_;
      for (std::size_t k = 0; k < static_cast<std::size_t>(fixed.raw.size()); ++k) {
        const double anchor = raw_[fixed.offset + k];
        tried[moved.offset + k] = anchor + factor * (raw_[moved.offset + k] - anchor);
      }
      if (tried == raw_ || accept(tried)) return;
    }
  }

  /// Numbers of order 1, or 10, rather than far from it.
  void bring_near_one(std::size_t begin, std::size_t end) {
    double largest = 0;
    for (std::size_t i = begin; i < end; ++i) largest = std::max(largest, std::abs(raw_[i]));
    if (!(largest > 0) || (largest > 0.05 && largest < 20)) return;
    for (const double target : {1.0, 10.0, 0.1, 100.0, 0.01, 1e-3}) {
      if (std::abs(std::log(target)) > std::abs(std::log(largest))) continue;
      Numbers tried = raw_;
      for (std::size_t i = begin; i < end; ++i) tried[i] = raw_[i] * (target / largest);
      if (accept(tried)) return;
    }
  }

  const Numbers& raw() const { return raw_; }

 private:
  Numbers raw_;
  const Predicate& good_enough_;
  std::int64_t left_;
};

}  // namespace

double round_to_decimals(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

Numbers clear_witness(const language::Program& program, Numbers raw, const Predicate& good_enough, std::int64_t most) {
  Clearing clearing(std::move(raw), good_enough, most);
  const auto& inputs = program.inputs();
  for (std::size_t v = 0; v < inputs.size(); ++v)
    for (std::size_t w = v + 1; w < inputs.size(); ++w)
      if (inputs[v].raw == inputs[w].raw && !inputs[v].whole && !inputs[w].whole && inputs[v].raw.size() > 0)
        clearing.draw_apart(inputs[v], inputs[w]);
  clearing.bring_near_one(0, clearing.raw().size());
  for (const language::RawInput& input : inputs)
    clearing.bring_near_one(input.offset, input.offset + static_cast<std::size_t>(input.raw.size()));
  for (int pass = 0; pass < 2; ++pass) {
    const Numbers before = clearing.raw();
    clearing.round_together(0, before.size());
    for (const language::RawInput& input : program.inputs()) {
      const std::size_t begin = input.offset, end = begin + static_cast<std::size_t>(input.raw.size());
      clearing.round_together(begin, end);
      clearing.round_to_grid(begin, end);
    }
    for (const language::RawInput& input : program.inputs())
      clearing.shorten_each(input.offset, input.offset + static_cast<std::size_t>(input.raw.size()));
    if (clearing.raw() == before) break;
  }
  return clearing.raw();
}

}  // namespace attest::referee
