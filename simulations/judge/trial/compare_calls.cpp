#include "simulations/judge/trial/compare_calls.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/random/stream.hpp"
#include "simulations/judge/case/number_types.hpp"

namespace attest::judge {

RowShape row_shape(const std::string& output, const Problem& p) {
  if (output == "lse") return {p.batch, p.heads, p.queries, 1};
  if (output == "dq") return {p.batch, p.heads, p.queries, p.width};
  if (output == "dk") return {p.batch, p.kv_heads, p.keys, p.width};
  if (output == "dv") return {p.batch, p.kv_heads, p.keys, p.value_width};
  if (output == "dbias") return {1, p.heads, p.queries, p.keys};
  return {p.batch, p.heads, p.queries, p.value_width};
}

bool same_rows(const std::string& output, const Problem& problem, const std::vector<double>& before,
               const std::vector<double>& after, const std::function<bool(const Row&)>& chosen, Row& where) {
  const RowShape shape = row_shape(output, problem);
  if (before.size() != after.size()) return true;  // a wrong shape is a failure of its own
  std::size_t n = 0;
  for (Index b = 0; b < shape.batch; ++b)
    for (Index h = 0; h < shape.heads; ++h)
      for (Index row = 0; row < shape.rows; ++row) {
        const bool wanted = chosen({b, h, row});
        for (Index d = 0; d < shape.width; ++d, ++n) {
          if (!wanted || before[n] == after[n] || (std::isnan(before[n]) && std::isnan(after[n]))) continue;
          where = {b, h, row};
          return false;
        }
      }
  return true;
}

void fail_changed(Record& record, const std::string& output, const std::string& class_name, const std::string& what,
                  const Row& row) {
  for (const Failure& failure : record.failures)
    if (failure.output == output && failure.class_name == class_name) return;
  record.failures.push_back(
      {output, std::numeric_limits<double>::infinity(), class_name,
       fmt::format("{} changes row {} of head {} of sequence {} of {}", what, row.n, row.h, row.b, output)});
}

std::vector<double> fresh_normals(const CaseSpec& spec, std::string_view name, std::size_t count) {
  random::Stream stream(spec.seed, random::stream_key(std::string("fresh ") + std::string(name)), spec.number);
  std::vector<double> values(count);
  for (double& value : values) value = rounded_to(spec.type, stream.normal());
  return values;
}

}  // namespace attest::judge
