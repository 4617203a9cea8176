#include "simulations/judge/trial/answers.hpp"

#include <algorithm>
#include <limits>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulations/arrays/rounding.hpp"

namespace attest::judge {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

using Shape = std::vector<std::int64_t>;

void fail(Record& record, const std::string& output, const Fault& fault, std::string message) {
  for (const Failure& failure : record.failures)
    if (failure.output == output && failure.fault == fault) return;
  record.failures.push_back({output, infinity, fault, std::move(message)});
}

Shape shape_of(const std::string& output, const Problem& p, bool token_major) {
  const auto tokens = [&](Index heads, Index count, Index width) {
    return token_major ? Shape{p.batch, count, heads, width} : Shape{p.batch, heads, count, width};
  };
  if (output == "out") return tokens(p.heads, p.queries, p.value_width);
  if (output == "dq") return tokens(p.heads, p.queries, p.width);
  if (output == "dk") return tokens(p.kv_heads, p.keys, p.width);
  if (output == "dv") return tokens(p.kv_heads, p.keys, p.value_width);
  if (output == "lse") return {p.batch, p.heads, p.queries};
  return {p.heads, p.queries, p.keys};
}

/// Extents of 1 at either end do not matter where the entries are the same.
bool fits(const Shape& shape, const Shape& wanted, const std::string& output) {
  if (shape == wanted) return true;
  Shape longer = wanted;
  longer.push_back(1);
  if (output == "lse" && shape == longer) return true;
  Shape broadcast = wanted;
  broadcast.insert(broadcast.begin(), 1);
  return output == "dbias" && shape == broadcast;
}

bool call_failed(const Answer& answer, Record& record) {
  using Status = Answer::Status;
  switch (answer.status) {
    case Status::answered:
      return false;
    case Status::raised:
      fail(record, "", fault::raises_an_error, answer.message);
      break;
    case Status::crashed:
      fail(record, "", fault::crashes, answer.message);
      break;
    case Status::hung:
      fail(record, "", fault::hangs, answer.message);
      break;
    case Status::malformed:
      fail(record, "", fault::returns_nothing, answer.message);
      break;
    case Status::absent:
      record.judged = false;
      record.refusal = answer.message;
      break;
  }
  return true;
}

}  // namespace

std::optional<Outputs> outputs_of(const Request& request, const Problem& p, Target& target,
                                  const TrialSettings& settings, Record& record) {
  const Answer answer = target.call(request);
  ++record.calls;
  record.judged = answer.status != Answer::Status::absent;
  if (call_failed(answer, record)) return std::nullopt;
  for (const std::string& input : answer.changed)
    fail(record, "", fault::input_is_overwritten, fmt::format("{} is not what was handed over", input));
  if (answer.overrun) fail(record, "", fault::writes_outside_its_buffers, "the bytes beyond an output are overwritten");
  const auto odd = answer.unusable.find("out");
  if (odd != answer.unusable.end()) {
    fail(record, "out", odd->second == "None" ? fault::returns_nothing : fault::wrong_type,
         fmt::format("out is {} instead of an array", odd->second));
    return std::nullopt;
  }
  Outputs outputs;
  for (const char* name : {"out", "lse", "dq", "dk", "dv", "dbias"}) {
    const auto found = answer.arrays.find(name);
    if (found == answer.arrays.end()) continue;
    const arrays::Array& array = found->second;
    const Shape wanted = shape_of(name, p, settings.conventions.token_major);
    if (!fits(array.shape, wanted, name)) {
      fail(record, name, fault::wrong_shape,
           fmt::format("{} has the shape {} where {} belongs", name, arrays::shape_text(array.shape),
                       arrays::shape_text(wanted)));
      continue;
    }
    // lse may be of a wider type, as the softmax within a row is.
    const bool wider_lse = std::string_view(name) == "lse" && arrays::is_floating(array.type) &&
                           unit_roundoff(array.type) < unit_roundoff(p.type);
    if (array.type != p.type && !wider_lse) {
      fail(record, name, fault::wrong_type,
           fmt::format("{} is {} where {} was handed over", name, arrays::name(array.type), arrays::name(p.type)));
      continue;
    }
    outputs[name] = values_of(array, settings.conventions);
  }
  if (outputs.empty() && record.failures.empty())
    fail(record, "out", fault::returns_nothing, "there is no array named out");
  return outputs;
}

}  // namespace attest::judge
