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

/// Whether each chosen row has the same numbers in both (0 and -0 are the same, NaN and NaN too); otherwise the first
/// that has not, in `where`.
bool same_rows(const std::string& output, const Problem& problem, const std::vector<double>& before,
               const std::vector<double>& after, const std::function<bool(const Row&)>& chosen, Row& where);

/// Puts a failure of rows that changed into the record.
void fail_changed(Record& record, const std::string& output, const std::string& class_name, const std::string& what,
                  const Row& row);

/// Standard normal entries of the case's type that are no others': a pure function of the spec and the name.
std::vector<double> fresh_normals(const CaseSpec& spec, std::string_view name, std::size_t count);

}  // namespace attest::judge
