// Named vectors of doubles: the point at which a statement is evaluated, and what a witness stores.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attest::engine {

/// An ordered list of named vectors of doubles. A scalar is a vector of length one, a matrix is stored row by row.
class Inputs {
 public:
  using Entry = std::pair<std::string, std::vector<double>>;

  Inputs() = default;
  Inputs(std::initializer_list<Entry> entries);

  /// Appends a vector. Errors: std::invalid_argument when the name is empty or taken.
  void add(std::string name, std::vector<double> values);

  /// The vector of that name. Errors: std::invalid_argument naming what is missing.
  std::span<const double> operator[](std::string_view name) const;

  /// The only element of the vector of that name. Errors: std::invalid_argument when it has another length.
  double scalar(std::string_view name) const;

  bool has(std::string_view name) const;
  bool all_finite() const;
  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  bool operator==(const Inputs&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace attest::engine
