#include "theorems/referee/expectations/statistic.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "theorems/language/program/instruction.hpp"
#include "theorems/referee/expectations/random_numbers.hpp"

namespace attest::referee {
namespace {

using language::Binary;
using language::Code;
using language::Instruction;
using language::Program;

/// How a register depends on the random numbers.
enum class Dependence : std::uint8_t { none, linear, other };

Dependence product_of(Dependence a, Dependence b) {
  if (a == Dependence::none) return b;
  return b == Dependence::none ? a : Dependence::other;
}

Dependence dependence_of(const Instruction& i, const std::vector<char>& is_random,
                         const std::vector<Dependence>& known) {
  const auto of = [&](std::size_t k) { return known[i.args[k]]; };
  Dependence most = Dependence::none;
  for (const std::uint32_t reg : i.args) most = std::max(most, known[reg]);
  switch (i.code) {
    case Code::input:
      return is_random[static_cast<std::size_t>(i.parameter)] != 0 ? Dependence::linear : Dependence::none;
    case Code::gather:
    case Code::pack:
    case Code::sum:
    case Code::cumulated:
      return most;
    case Code::matmul:
      return product_of(of(0), of(1));
    case Code::unary:
      return i.unary == language::Unary::negate || most == Dependence::none ? most : Dependence::other;
    case Code::binary:
      if (i.binary == Binary::add || i.binary == Binary::subtract) return most;
      if (i.binary == Binary::multiply) return product_of(of(0), of(1));
      if (i.binary == Binary::divide && of(1) == Dependence::none) return of(0);
      [[fallthrough]];
    default:
      return most == Dependence::none ? Dependence::none : Dependence::other;
  }
}

void registers_of(const language::Formula& formula, std::vector<std::size_t>& registers) {
  if (formula.kind == language::Formula::Kind::relation) {
    registers.push_back(formula.lhs);
    registers.push_back(formula.rhs);
  }
  for (const language::Formula& part : formula.parts) registers_of(part, registers);
}

/// Dependences of all registers, with register `held` (if any) as a number that is given.
std::vector<Dependence> dependences(const Program& program, std::optional<std::size_t> held) {
  std::vector<char> is_random(program.dimension(), 0);
  for (const RandomNumber& number : random_numbers(program)) is_random[number.coordinate] = 1;
  std::vector<Dependence> known;
  for (std::size_t r = 0; r < program.instructions.size(); ++r)
    known.push_back(held == r ? Dependence::none : dependence_of(program.instructions[r], is_random, known));
  return known;
}

/// The register lists random numbers as they were drawn, each at most once.
bool lists_draws(const Program& program, std::size_t reg) {
  const Instruction& i = program.instructions[reg];
  const std::vector<RandomNumber> numbers = random_numbers(program);
  return i.code == Code::input && std::ranges::any_of(numbers, [&](const RandomNumber& number) {
           return number.coordinate == static_cast<std::size_t>(i.parameter);
         });
}

std::optional<std::pair<Statistic::Form, std::size_t>> form_of(const Program& program, std::size_t reg,
                                                               Dependence dependence) {
  using Form = Statistic::Form;
  const Instruction& i = program.instructions[reg];
  if (dependence == Dependence::linear) return std::pair{Form::linear, reg};
  if (i.args.size() != 1) return std::nullopt;
  const std::size_t list = i.args[0];
  if (i.code == Code::largest && program.instructions[list].code == Code::unary &&
      program.instructions[list].unary == language::Unary::abs &&
      lists_draws(program, program.instructions[list].args[0]))
    return std::pair{Form::largest_size, std::size_t{program.instructions[list].args[0]}};
  if (!lists_draws(program, list)) return std::nullopt;
  switch (i.code) {
    case Code::largest:
      return std::pair{Form::largest, list};
    case Code::least:
      return std::pair{Form::least, list};
    case Code::norm_2:
      return std::pair{Form::norm, list};
    case Code::norm_inf:
      return std::pair{Form::largest_size, list};
    default:
      return std::nullopt;
  }
}

/// The register as a raw number after all others.
Program with_number(Program program, std::size_t reg) {
  Instruction& i = program.instructions[reg];
  i.code = Code::input;
  i.args.clear();
  i.parameter = static_cast<std::int64_t>(program.dimension_);
  language::RawInput input = random_numbers(program).front().input[0];
  input.name = "statistic";
  input.element = reg;
  input.raw = input.shape = language::Shape{};
  input.offset = program.dimension_;
  program.inputs_.push_back(std::move(input));
  ++program.dimension_;
  return program;
}

}  // namespace

namespace {

/// A program whose event x R y, of two scalars that both depend on random numbers, reads x - y R 0 instead.
std::optional<Program> with_difference(Program program, std::size_t which) {
  language::Expectation& expectation = program.expectations_[which];
  language::Formula& event = expectation.event;
  if (!expectation.probability || event.kind != language::Formula::Kind::relation) return std::nullopt;
  const std::vector<Dependence> known = dependences(program, std::nullopt);
  for (const std::size_t side : {event.lhs, event.rhs})
    if (known[side] != Dependence::linear || program.instructions[side].size() != 1) return std::nullopt;
  const auto append = [&](Instruction instruction) {
    instruction.shape = {};
    instruction.offset = program.entries_++;
    program.instructions.push_back(std::move(instruction));
    return program.instructions.size() - 1;
  };
  Instruction difference;
  difference.code = Code::binary;
  difference.binary = Binary::subtract;
  difference.args = {static_cast<std::uint32_t>(event.lhs), static_cast<std::uint32_t>(event.rhs)};
  difference.varies = true;
  event.lhs = append(std::move(difference));
  event.rhs = append({});
  return program;
}

std::vector<Statistic> statistics_in(const Program& program, std::size_t which) {
  const language::Expectation& expectation = program.expectations()[which];
  std::vector<std::size_t> asked;
  if (expectation.probability)
    registers_of(expectation.event, asked);
  else
    asked.push_back(expectation.integrand);
  const std::vector<Dependence> free = dependences(program, std::nullopt);
  constexpr std::size_t most_tried = 200, most_kept = 3;
  std::size_t tried = 0;
  std::vector<Statistic> found;
  for (std::size_t r = *std::ranges::max_element(asked) + 1;
       r-- > 0 && tried < most_tried && found.size() < most_kept;) {
    const Instruction& i = program.instructions[r];
    if (i.size() != 1 || free[r] == Dependence::none) continue;
    const auto form = form_of(program, r, free[r]);
    if (!form) continue;
    ++tried;
    const std::vector<Dependence> held = dependences(program, r);
    if (std::ranges::any_of(asked, [&](std::size_t reg) { return held[reg] != Dependence::none; })) continue;
    found.push_back({form->first, r, form->second, program, with_number(program, r)});
  }
  return found;
}

}  // namespace

std::vector<Statistic> statistics_of(const Program& program, std::size_t which) {
  std::vector<Statistic> found = statistics_in(program, which);
  if (!found.empty()) return found;
  const std::optional<Program> joined = with_difference(program, which);
  return joined ? statistics_in(*joined, which) : found;
}

}  // namespace attest::referee
