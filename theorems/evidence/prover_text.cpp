#include "theorems/evidence/prover_text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::evidence {
namespace {

using rigor::Rational;

const std::map<std::string, std::pair<const char*, const char*>> functions = {
    {"exp", {"exp", "Real.exp"}},      {"log", {"ln", "Real.log"}},  {"sqrt", {"sqrt", "Real.sqrt"}},
    {"sin", {"sin", "Real.sin"}},      {"cos", {"cos", "Real.cos"}}, {"tan", {"tan", "Real.tan"}},
    {"atan", {"atan", "Real.arctan"}}, {"abs", {"Rabs", "abs"}},     {"max", {"Rmax", "max"}},
    {"min", {"Rmin", "min"}}};

/// "3", "(-3)", "(1 / 3)".
std::string number_text(const Rational& value) {
  std::string text = value.to_string();
  const bool negative = text.front() == '-';
  if (negative) text.erase(0, 1);
  // A decimal becomes a quotient of whole numbers.
  if (const auto point = text.find('.'); point != std::string::npos) {
    const std::size_t digits = text.size() - point - 1;
    text.erase(point, 1);
    text.erase(0, std::min(text.find_first_not_of('0'), text.size() - 1));
    text += "/1" + std::string(digits, '0');
  }
  if (text.find('e') != std::string::npos) throw NotWritten("a number of this size is not written out");
  if (const auto slash = text.find('/'); slash != std::string::npos) text.replace(slash, 1, " / ");
  if (negative) return "(- " + text + ")";
  return text.find('/') == std::string::npos ? text : "(" + text + ")";
}

/// Certainly above 0 by its form.
bool positive(const TermPointer& term);

bool not_negative(const TermPointer& term) {
  const auto all = [&](const auto& test) { return std::ranges::all_of(term->args, test); };
  switch (term->kind) {
    case TermKind::number:
      return term->value >= Rational(0);
    case TermKind::power:
      return term->exponent % 2 == 0 || not_negative(term->args[0]);
    case TermKind::add:
    case TermKind::multiply:
    case TermKind::divide:
      return all(not_negative);
    case TermKind::call:
      return term->name == "sqrt" || term->name == "abs" || positive(term);
    default:
      return positive(term);
  }
}

bool positive(const TermPointer& term) {
  switch (term->kind) {
    case TermKind::number:
      return term->value > Rational(0);
    case TermKind::pi:
      return true;
    case TermKind::call:
      return term->name == "exp";
    case TermKind::add:
      return (positive(term->args[0]) && not_negative(term->args[1])) ||
             (not_negative(term->args[0]) && positive(term->args[1]));
    case TermKind::multiply:
    case TermKind::divide:
      return positive(term->args[0]) && positive(term->args[1]);
    default:
      return false;
  }
}

void visit(const TermPointer& term, const std::function<void(const TermPointer&)>& f) {
  f(term);
  for (const TermPointer& arg : term->args) visit(arg, f);
}

void visit(const TermClaim& claim, const std::function<void(const TermPointer&)>& f) {
  if (claim.kind == ClaimKind::relation) {
    visit(claim.lhs, f);
    visit(claim.rhs, f);
  }
  for (const TermClaim& part : claim.parts) visit(part, f);
}

}  // namespace

std::string text_of(const TermPointer& term, Prover prover) {
  const auto arg = [&](std::size_t k) { return text_of(term->args[k], prover); };
  switch (term->kind) {
    case TermKind::number:
      return number_text(term->value);
    case TermKind::variable:
      return term->name;
    case TermKind::pi:
      return prover == Prover::coq ? "PI" : "Real.pi";
    case TermKind::add:
      return fmt::format("({} + {})", arg(0), arg(1));
    case TermKind::subtract:
      return fmt::format("({} - {})", arg(0), arg(1));
    case TermKind::multiply:
      return fmt::format("({} * {})", arg(0), arg(1));
    case TermKind::divide:
      return fmt::format("({} / {})", arg(0), arg(1));
    case TermKind::negate:
      return fmt::format("(- {})", arg(0));
    case TermKind::power:
      return fmt::format("({} ^ {})", arg(0), term->exponent);
    case TermKind::infinity:
      throw NotWritten("inf is not a real number");
    case TermKind::call:
      break;
  }
  const auto names = functions.at(term->name);
  std::string text = std::string("(") + (prover == Prover::coq ? names.first : names.second);
  for (std::size_t k = 0; k < term->args.size(); ++k) text += " " + arg(k);
  return text + ")";
}

std::string text_of(const TermClaim& claim, Prover prover) {
  const bool coq = prover == Prover::coq;
  std::vector<std::string> parts;
  for (const TermClaim& part : claim.parts) parts.push_back("(" + text_of(part, prover) + ")");
  switch (claim.kind) {
    case ClaimKind::relation: {
      static const std::map<std::string, std::string> in_lean = {{"<=", "≤"}, {">=", "≥"}, {"<>", "≠"}};
      const auto found = in_lean.find(claim.relation);
      const std::string& symbol = coq || found == in_lean.end() ? claim.relation : found->second;
      return fmt::format("{} {} {}", text_of(claim.lhs, prover), symbol, text_of(claim.rhs, prover));
    }
    case ClaimKind::conjunction:
      return parts.empty() ? "True" : fmt::format("{}", fmt::join(parts, coq ? " /\\ " : " ∧ "));
    case ClaimKind::disjunction:
      return parts.empty() ? "False" : fmt::format("{}", fmt::join(parts, coq ? " \\/ " : " ∨ "));
    case ClaimKind::negation:
      return (coq ? "~ " : "¬ ") + parts.at(0);
    case ClaimKind::implication:
      return fmt::format("{}", fmt::join(parts, coq ? " -> " : " → "));
  }
  return {};
}

TermClaim denial_of(const TermClaim& claim) {
  TermClaim out = claim;
  const auto deny_parts = [&](std::size_t from) {
    for (std::size_t k = from; k < out.parts.size(); ++k) out.parts[k] = denial_of(out.parts[k]);
  };
  switch (claim.kind) {
    case ClaimKind::relation: {
      static const std::map<std::string, std::string> turned = {{"<", ">="}, {"<=", ">"}, {">", "<="},
                                                                {">=", "<"}, {"=", "<>"}, {"<>", "="}};
      out.relation = turned.at(claim.relation);
      return out;
    }
    case ClaimKind::conjunction:
      out.kind = ClaimKind::disjunction;
      deny_parts(0);
      return out;
    case ClaimKind::disjunction:
      out.kind = ClaimKind::conjunction;
      deny_parts(0);
      return out;
    case ClaimKind::negation:
      return claim.parts.at(0);
    case ClaimKind::implication:
      out.kind = ClaimKind::conjunction;
      deny_parts(1);
      return out;
  }
  return out;
}

std::vector<TermClaim> definedness_of(const TermClaim& claim) {
  std::vector<TermClaim> all;
  std::vector<std::string> seen;
  const auto add = [&](const char* relation, const TermPointer& term) {
    TermClaim one{ClaimKind::relation, relation, term, number_term(Rational(0)), {}};
    if (const std::string text = text_of(one, Prover::coq); std::ranges::find(seen, text) == seen.end()) {
      seen.push_back(text);
      all.push_back(std::move(one));
    }
  };
  visit(claim, [&](const TermPointer& term) {
    if (term->kind == TermKind::divide && !positive(term->args[1]) && term->args[1]->kind != TermKind::number)
      add("<>", term->args[1]);
    if (term->kind == TermKind::call && term->name == "sqrt" && !not_negative(term->args[0])) add(">=", term->args[0]);
    if (term->kind == TermKind::call && term->name == "log" && !positive(term->args[0])) add(">", term->args[0]);
  });
  return all;
}

std::vector<std::string> exponents_of(const TermClaim& claim, Prover prover) {
  std::vector<std::string> all;
  visit(claim, [&](const TermPointer& term) {
    if (term->kind != TermKind::call || term->name != "exp") return;
    if (const std::string text = text_of(term->args[0], prover); std::ranges::find(all, text) == all.end())
      all.push_back(text);
  });
  return all;
}

bool equalities_only(const TermClaim& claim) {
  if (claim.kind == ClaimKind::relation) return claim.relation == "=";
  return claim.kind == ClaimKind::conjunction && std::ranges::all_of(claim.parts, equalities_only);
}

}  // namespace attest::evidence
