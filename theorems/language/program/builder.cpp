#include "theorems/language/program/builder.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace attest::language {
namespace {

std::string key_of(const Instruction& i) {
  std::string key;
  key.reserve(64 + i.args.size() * sizeof(std::uint32_t) + (i.table ? i.table->size() * sizeof(std::int32_t) : 0));
  const auto put = [&key](const auto value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));  // NOLINT: bytes of a number
  };
  put(i.code);
  put(i.unary);
  put(i.binary);
  put(i.shape.rank);
  put(i.shape.rows);
  put(i.shape.cols);
  put(i.length);
  put(i.parameter);
  put(i.args.size());
  for (const std::uint32_t arg : i.args) put(arg);
  if (i.code == Code::constant || i.code == Code::power) key += i.number.to_string();  // slow, and 0 in all others
  if (i.table)
    for (const std::int32_t at : *i.table) put(at);
  return key;
}

/// Value and gradient in doubles, value and gradient in balls.
constexpr std::size_t bytes_an_entry = 2 * sizeof(double) + 2 * sizeof(rigor::Ball);

}  // namespace

Register Builder::emit(Instruction instruction) {
  const bool shared = instruction.code != Code::attention;
  std::string key = shared ? key_of(instruction) : std::string();
  if (shared) {
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
  }
  bytes_ += instruction.size() * bytes_an_entry + sizeof(Instruction) + 2 * key.size() +
            (instruction.table ? instruction.table->size() * sizeof(std::int32_t) : 0);
  if (bytes_ > memory_limit_) refuse_memory();
  instruction.written = written_;
  const auto at = static_cast<Register>(instructions_.size());
  random_.push_back(std::ranges::any_of(instruction.args, [this](Register r) { return random_[r]; }));
  instructions_.push_back(std::move(instruction));
  if (shared) known_.emplace(std::move(key), at);
  return at;
}

void Builder::need(double entries) const {
  if (static_cast<double>(bytes_) + entries * static_cast<double>(bytes_an_entry) > static_cast<double>(memory_limit_))
    refuse_memory();
}

void Builder::refuse_memory() const {
  throw Oversized(written_ ? written_->place : Place{},
                 fmt::format("the statement at these sizes needs more than {:.1f} GiB of memory; choose smaller sizes",
                             static_cast<double>(memory_limit_) / static_cast<double>(1U << 30U)));
}

Register Builder::constant(const rigor::Rational& number) { return emit({.code = Code::constant, .number = number}); }

Register Builder::input(std::size_t offset, const Shape& shape) {
  return emit({.code = Code::input, .shape = shape, .parameter = static_cast<std::int64_t>(offset)});
}

Register Builder::unary(Unary f, Register x) {
  return emit({.code = Code::unary, .unary = f, .args = {x}, .shape = shape(x)});
}

Register Builder::binary(Binary f, Register x, Register y) {
  const Shape result = shape(x).rank == 0 ? shape(y) : shape(x);
  return emit({.code = Code::binary, .binary = f, .args = {x, y}, .shape = result});
}

Register Builder::power(Register x, const rigor::Rational& exponent) {
  if (exponent == rigor::Rational(1)) return x;
  return emit({.code = Code::power, .args = {x}, .shape = shape(x), .number = exponent});
}

Register Builder::gather(Register x, std::vector<std::int32_t> table, const Shape& shape) {
  return emit({.code = Code::gather,
               .args = {x},
               .shape = shape,
               .table = std::make_shared<const std::vector<std::int32_t>>(std::move(table))});
}

Register Builder::pack(std::vector<Register> parts, const Shape& shape) {
  return emit({.code = Code::pack, .args = std::move(parts), .shape = shape});
}

Register Builder::matmul(Register a, Register b, const Shape& shape) {
  return emit({.code = Code::matmul, .args = {a, b}, .shape = shape});
}

Register Builder::transpose(Register a) {
  const Shape from = shape(a);
  const std::int64_t rows = from.rows, cols = from.cols;
  std::vector<std::int32_t> table;
  table.reserve(static_cast<std::size_t>(from.size()));
  for (std::int64_t j = 0; j < cols; ++j)
    for (std::int64_t i = 0; i < rows; ++i) table.push_back(static_cast<std::int32_t>(i * cols + j));
  return gather(a, std::move(table), {.rank = 2, .rows = cols, .cols = rows});
}

Register Builder::reduce(Code code, Register x, std::int64_t length, const Shape& as) {
  return emit({.code = code, .args = {x}, .shape = as, .length = length});
}

Register Builder::by_rows(Code code, Register x, std::int64_t length) {
  return emit({.code = code, .args = {x}, .shape = shape(x), .length = length});
}

Register Builder::of_matrix(Code code, Register a, const Shape& shape) {
  return emit({.code = code, .args = {a}, .shape = shape});
}

namespace {

void collect(const Formula& formula, std::vector<std::size_t>& roots) {
  if (formula.kind == Formula::Kind::relation || formula.kind == Formula::Kind::order) {
    roots.push_back(formula.lhs);
    roots.push_back(formula.rhs);
  }
  for (const Formula& part : formula.parts) collect(part, roots);
}

}  // namespace

void finish(Program& program) {
  auto& all = program.instructions;
  std::size_t entries = 0, scratch = 0;
  for (Instruction& i : all) {
    i.offset = entries;
    entries += i.size();
    i.scratch_offset = scratch;
    scratch += scratch_size(program, i);
    i.varies = i.code == Code::input || i.code == Code::expected ||
               std::ranges::any_of(i.args, [&all](std::uint32_t r) { return all[r].varies; });
    i.in_doubles = i.in_balls = false;
  }
  program.entries_ = entries;
  program.scratch_ = scratch;
  std::vector<std::size_t> roots;
  collect(program.claim_, roots);
  for (const Formula& condition : program.conditions_) collect(condition, roots);
  for (const Expectation& expectation : program.expectations_) {
    roots.push_back(expectation.at);
    if (!expectation.probability) roots.push_back(expectation.integrand);
    collect(expectation.event, roots);
  }
  for (const RawInput& input : program.inputs_) {
    roots.push_back(input.element);
    roots.insert(roots.end(), input.law_arguments.begin(), input.law_arguments.end());
  }
  for (const std::size_t root : roots) all[root].in_doubles = all[root].in_balls = true;
  // What a mechanism's formula in balls is made of is not evaluated in doubles, unless the statement asks for it too.
  for (std::size_t at = all.size(); at-- > 0;) {
    const Instruction& i = all[at];
    for (std::size_t k = 0; k < i.args.size(); ++k) {
      Instruction& arg = all[i.args[k]];
      const bool formula = i.code == Code::attention && k == 0;
      arg.in_doubles |= i.in_doubles && !formula;
      arg.in_balls |= i.in_balls;
    }
  }
}

}  // namespace attest::language
