#include "theorems/language/evaluation/attention_call.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "kernels/attention/mechanism/mechanism.hpp"
#include "kernels/names/nearest.hpp"
#include "theorems/language/flattening/call.hpp"
#include "theorems/language/mechanisms/definitions.hpp"
#include "theorems/language/mechanisms/judged.hpp"
#include "theorems/language/read.hpp"

namespace attest::language {
namespace {

using rigor::Rational;
using Tensor = attention::Tensor<double>;

attention::Evaluation<double> evaluated(const AttentionCall& call, const std::vector<std::span<const double>>& inputs) {
  attention::Call<double> request;
  for (std::size_t k = 0; k < inputs.size(); ++k)
    request.inputs[call.inputs[k]] = Tensor(call.shapes[k], {inputs[k].begin(), inputs[k].end()});
  for (const auto& [name, setting] : call.settings) request.settings[name] = setting;
  request.threads = 1;
  return attention::evaluate(judged(call.mechanism), request);
}

/// The value of an option as the library reads it: "true", "0.5", "1,1,2", "exp".
std::string setting_text(Compiler& compiler, const Expr& e) {
  if (e->op == Op::truth || e->op == Op::text) return e->name;
  if (e->op == Op::array) {
    std::string all;
    for (const Expr& part : e->args) all += (all.empty() ? "" : ",") + setting_text(compiler, part);
    return all;
  }
  const auto known = compiler.known(e);
  if (!known || !known->number)
    throw Problem(e->place,
                  fmt::format("'{}' is an option of the mechanism and must be known: a number, true or false, "
                              "or a word in quotes",
                              normal_form(e)));
  return known->number->is_whole() ? known->number->to_string() : fmt::format("{}", known->number->to_double());
}

/// The shape that the library wants for an array of this rank: [B][H][N][D] for a matrix where the description says so,
/// fewer brackets otherwise; B = H = 1.
std::vector<std::int64_t> library_shape(const attention::InputSpec& spec, const Shape& shape) {
  const auto rank = static_cast<std::int64_t>(std::ranges::count(spec.shape, '['));
  std::vector<std::int64_t> own;
  if (shape.rank >= 1) own.push_back(shape.rows);
  if (shape.rank == 2) own.push_back(shape.cols);
  std::vector<std::int64_t> result(static_cast<std::size_t>(std::max<std::int64_t>(0, rank - shape.rank)), 1);
  result.insert(result.end(), own.begin(), own.end());
  return result;
}

/// softmax(q k' / sqrt(d)), causal or not, from the definition.
Register weights(Builder& b, Register q, Register k, bool causal) {
  const std::int64_t n = b.shape(q).rows, m = b.shape(k).rows, d = b.shape(q).cols;
  const Shape shape{.rank = 2, .rows = n, .cols = m};
  const Register scores =
      b.divide(b.matmul(q, b.transpose(k), shape), b.power(b.constant(Rational(d)), Rational(1, 2)));
  if (!causal) return b.by_rows(Code::softmax, scores, m);
  // Row i attends to the keys up to i alone; the others weigh nothing.
  std::vector<Register> rows;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t visible = std::min(i + 1, m);
    std::vector<std::int32_t> table, back(static_cast<std::size_t>(m), -1);
    for (std::int64_t j = 0; j < visible; ++j) {
      table.push_back(static_cast<std::int32_t>(i * m + j));
      back[static_cast<std::size_t>(j)] = static_cast<std::int32_t>(j);
    }
    const Register row = b.gather(scores, std::move(table), {.rank = 1, .rows = visible});
    rows.push_back(b.gather(b.by_rows(Code::softmax, row, visible), std::move(back), {.rank = 1, .rows = m}));
  }
  return b.pack(std::move(rows), shape);
}

/// (c_1 A + c_2 A^2 + ...) v, for balls; empty where the call has what the definition does not know.
std::optional<Register> polynomial(Builder& b, const std::vector<int>& coefficients, const AttentionCall& call,
                                   Register q, Register k, Register v) {
  bool causal = false;
  for (const auto& [name, setting] : call.settings) {
    if (name != "causal") return std::nullopt;
    causal = setting == "true";
  }
  const bool square = b.shape(q).rows == b.shape(k).rows;
  if (call.inputs.size() != 3 || b.shape(q).rank != 2 || ((causal || coefficients.size() > 1) && !square))
    return std::nullopt;
  const Register a = weights(b, q, k, causal);
  Register power = a;
  std::optional<Register> sum;
  for (std::size_t degree = 1; degree <= coefficients.size(); ++degree) {
    if (degree > 1) power = b.matmul(power, a, b.shape(a));
    const int coefficient = coefficients[degree - 1];
    if (coefficient == 0) continue;
    const bool taken_off = sum && coefficient < 0;
    const int factor = taken_off ? -coefficient : coefficient;
    const Register term = factor == 1 ? power : b.scaled(power, Rational(factor));
    sum = !sum ? term : taken_off ? b.subtract(*sum, term) : b.add(*sum, term);
  }
  return b.matmul(*sum, v, {.rank = 2, .rows = b.shape(q).rows, .cols = b.shape(v).cols});
}

using Names = std::map<std::string, Value, std::less<>>;

/// A setting's numbers under its name: grid = "2,3" as grid_1 and grid_2.
void add_setting(Names& names, const std::string& name, const std::string& text) {
  const auto number = [](const std::string& digits) { return Value{.number = read_expression(digits)->value}; };
  if (text.find(',') == std::string::npos) {
    names[name] = number(text);
    return;
  }
  std::stringstream parts(text);
  std::string part;
  for (int k = 1; std::getline(parts, part, ','); ++k) names[fmt::format("{}_{}", name, k)] = number(part);
}

/// The names that a definition is written in; empty where the call has what the definition does not know.
std::optional<Names> names_of(const MechanismDefinition& definition, const AttentionCall& call,
                              const std::vector<Value>& arrays) {
  Names names;
  for (const auto& [name, text] : call.settings) {
    const bool known =
        std::ranges::find(definition.settings, name, &MechanismDefinition::Named::name) != definition.settings.end();
    if (!known || text.find_first_not_of("0123456789.,e-+") != std::string::npos) return std::nullopt;
    add_setting(names, name, text);
  }
  for (const auto& [name, fallback] : definition.settings) {
    const bool given = std::ranges::any_of(call.settings, [&name = name](const auto& s) { return s.first == name; });
    if (!given && fallback.empty()) return std::nullopt;
    if (!given) add_setting(names, std::string(name), std::string(fallback));
  }
  // A setting may also be given as an array, such as a learnable beta.
  for (std::size_t k = 0; k < arrays.size(); ++k) {
    const std::string& name = call.inputs[k];
    const auto is_known = [&](const std::vector<MechanismDefinition::Named>& list) {
      return std::ranges::find(list, name, &MechanismDefinition::Named::name) != list.end();
    };
    if (k >= 3 && !is_known(definition.further_inputs) && !is_known(definition.settings)) return std::nullopt;
    names[name] = arrays[k];
  }
  for (const auto& [name, instead] : definition.further_inputs)
    if (!names.contains(name)) names[std::string(name)] = names.at(std::string(instead));
  return names;
}

/// The output by the mechanism's definition, as instructions of its own, for balls; empty where there is none for this
/// call.
std::optional<Register> defined(Compiler& compiler, const AttentionCall& call, const std::vector<Register>& inputs,
                                const std::vector<Value>& arrays) {
  const MechanismDefinition* definition = find_definition(call.mechanism);
  if (definition == nullptr) return std::nullopt;
  if (!definition->powers_of_softmax.empty())
    return polynomial(compiler.builder(), definition->powers_of_softmax, call, inputs[0], inputs[1], inputs[2]);
  auto names = names_of(*definition, call, arrays);
  if (!names) return std::nullopt;
  std::optional<Register> last;
  for (const auto& [name, text] : definition->steps) {
    const Expr body = read_expression(text);
    const Value value = compiler.expression_over(*names, body);
    last = compiler.reg(value, body);
    (*names)[std::string(name)] = value;
  }
  return last;
}

}  // namespace

void attend(const AttentionCall& call, const std::vector<std::span<const double>>& inputs, std::span<double> out) {
  try {
    const auto result = evaluated(call, inputs);
    std::ranges::copy(result.out.values(), out.begin());
  } catch (const std::invalid_argument&) {
    // Numbers that are not finite, or not positive where the mechanism wants them so; shapes and options were checked
    // when the statement was read.
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  }
}

void attend_back(const AttentionCall& call, const std::vector<std::span<const double>>& inputs,
                 std::span<const double> dout, const std::vector<std::span<double>>& back) {
  try {
    const auto result = evaluated(call, inputs);
    const auto gradients = result.backward(Tensor(result.out.shape(), {dout.begin(), dout.end()}));
    for (std::size_t k = 0; k < back.size(); ++k) {
      const auto found = gradients.find(call.inputs[k]);
      if (found == gradients.end()) continue;
      for (std::size_t i = 0; i < back[k].size(); ++i) back[k][i] += found->second.values()[i];
    }
  } catch (const std::invalid_argument&) {
    for (const std::span<double> part : back) std::ranges::fill(part, std::numeric_limits<double>::quiet_NaN());
  }
}

Value call_attention(Compiler& compiler, const Expr& e) {
  if (e->args.size() != 4 || e->args[0]->op != Op::text)
    throw Problem(e->place,
                  "attention is called as attention(\"softmax\", q, k, v, option = ...), the mechanism's name "
                  "in quotes");
  const auto found = std::ranges::find(attention::mechanisms(), e->args[0]->name, &attention::Mechanism::name);
  if (found == attention::mechanisms().end()) {
    std::vector<std::string> names;
    for (const auto& mechanism : attention::mechanisms()) names.push_back(mechanism.name);
    throw Problem(e->args[0]->place, fmt::format("unknown mechanism '{}'{}", e->args[0]->name,
                                                 attest::names::did_you_mean(names, e->args[0]->name)));
  }
  auto call = std::make_shared<AttentionCall>();
  call->mechanism = found->name;
  std::vector<Register> inputs;
  std::vector<Value> arrays;
  const auto take = [&](const std::string& name, const Expr& arg) {
    const auto spec = std::ranges::find(found->inputs, name, &attention::InputSpec::name);
    if (spec == found->inputs.end())
      throw Problem(arg->place, fmt::format("the mechanism '{}' takes no array '{}'", found->name, name));
    const Value value = compiler.expression(arg);
    call->inputs.push_back(name);
    call->shapes.push_back(library_shape(*spec, value.shape));
    inputs.push_back(compiler.reg(value, arg));
    arrays.push_back(value);
  };
  const std::vector<std::string> usual = {"q", "k", "v"};
  for (std::size_t k = 0; k < usual.size(); ++k) {
    // A mechanism that takes tokens, or no keys, ignores none of q, k, v silently.
    take(usual[k], e->args[k + 1]);
    if (!arrays.back().is_matrix())
      throw Problem(e->args[k + 1]->place, fmt::format("attention takes matrices, one row per token, and '{}' is {}",
                                                       normal_form(e->args[k + 1]), describe(arrays.back())));
  }
  for (const Option& option : e->options) {
    const bool is_input =
        std::ranges::find(found->inputs, option.name, &attention::InputSpec::name) != found->inputs.end();
    if (is_input) {
      take(option.name, option.value);
    } else {
      call->settings.emplace_back(option.name, setting_text(compiler, option.value));
    }
  }
  // A first call with harmless numbers: the library itself says what does not fit, and which shape comes out.
  std::vector<std::vector<double>> ones;
  for (const auto& shape : call->shapes) ones.emplace_back(static_cast<std::size_t>(attention::entries(shape)), 1.0);
  Shape out{.rank = 2, .rows = arrays[0].shape.rows, .cols = arrays[2].shape.cols};
  try {
    const auto result = evaluated(*call, {ones.begin(), ones.end()});
    out.rows = result.out.extent(2);
    out.cols = result.out.extent(3);
  } catch (const std::invalid_argument& refusal) {
    throw Problem(e->place, fmt::format("'{}': {}", normal_form(e), refusal.what()));
  }
  Builder& b = compiler.builder();
  const auto definition = defined(compiler, *call, inputs, arrays);
  call->has_formula = definition.has_value();
  Instruction instruction{.code = Code::attention, .shape = out, .attention = call};
  instruction.args.push_back(definition.value_or(inputs[0]));
  instruction.args.insert(instruction.args.end(), inputs.begin(), inputs.end());
  return Compiler::matrix(b.emit(std::move(instruction)), out.rows, out.cols, arrays[0].rows_text, arrays[2].cols_text);
}

}  // namespace attest::language
