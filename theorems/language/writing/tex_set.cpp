#include "theorems/language/writing/tex_set.hpp"

#include <cctype>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "theorems/language/read.hpp"
#include "theorems/language/writing/tex_call.hpp"

namespace attest::language {
namespace {

std::vector<std::string> each(const std::vector<Expr>& exprs) {
  std::vector<std::string> all;
  for (const Expr& expr : exprs) all.push_back(tex(expr));
  return all;
}

std::string tex_of_extents(const std::vector<Expr>& sizes) {
  return sizes.empty() ? "" : fmt::format("^{{{}}}", fmt::join(each(sizes), " \\times "));
}

std::string called(const std::string& head, const std::vector<Expr>& args) {
  return fmt::format("{}({})", head, fmt::join(each(args), ", "));
}

}  // namespace

std::string tex_text(std::string_view words) {
  std::string text;
  for (const char c : words) {
    if (std::string_view("_#%&$").find(c) != std::string_view::npos)
      text += std::string("\\") + c;
    else if (std::string_view("\\{}^~").find(c) == std::string_view::npos)
      text += c;
  }
  return text;
}

std::string tex_set(const Set& set) {
  switch (set.kind) {
    case SetKind::reals:
      return "\\mathbb{R}" + tex_of_extents(set.extents);
    case SetKind::interval:
      return fmt::format("{}{}{}{}", set.lower_open ? "(" : "[", fmt::join(each(set.args), ", "),
                         set.upper_open ? ")" : "]", tex_of_extents(set.extents));
    case SetKind::range:
      return fmt::format("\\{{{}\\}}", fmt::join(each(set.args), ", \\dots, "));
    case SetKind::finite:
      return fmt::format("\\{{{}\\}}{}", fmt::join(each(set.args), ", "), tex_of_extents(set.extents));
    case SetKind::simplex:
      return fmt::format("\\Delta_{{{}}}", tex(set.args[0]));
    case SetKind::sphere:
      return fmt::format("\\mathbb{{S}}^{{{} - 1}}", tex(set.args[0]));
    case SetKind::ball:
      return fmt::format("\\mathbb{{B}}^{{{}}}({})", tex(set.args[0]), tex(set.args[1]));
    case SetKind::stochastic:
      return called("\\operatorname{Stoch}", set.args);
    case SetKind::orthogonal:
      return called("\\mathrm{O}", set.args);
    case SetKind::symmetric:
      return called("\\operatorname{Sym}", set.args);
    case SetKind::psd:
      return called("\\operatorname{PSD}", set.args);
    case SetKind::attention:
      return called("\\operatorname{Attention}", set.args);
  }
  return "";
}

std::string tex_law(const Law& law) {
  if (law.name == "normal") {
    const Expr& deviation = law.args[1];
    const bool one = deviation->op == Op::number && deviation->value == rigor::Rational(1);
    const bool leaf = deviation->args.empty() && deviation->value.is_whole();
    const std::string variance =
        one ? "1" : fmt::format("{}^{{2}}", leaf ? tex(deviation) : "(" + tex(deviation) + ")");
    return fmt::format("\\mathcal{{N}}({}, {}){}", tex(law.args[0]), variance, tex_of_extents(law.extents));
  }
  std::string name = law.name == "student" ? "t" : law.name;
  if (law.name == "uniform") return called("\\mathcal{U}", law.args) + tex_of_extents(law.extents);
  if (law.name == "chi_squared")
    return fmt::format("\\chi^{{2}}_{{{}}}{}", tex(law.args[0]), "") + tex_of_extents(law.extents);
  name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
  const std::string head = law.name == "student" ? "t" : tex_operator(name);
  return (law.args.empty() ? head : called(head, law.args)) + tex_of_extents(law.extents);
}

}  // namespace attest::language
