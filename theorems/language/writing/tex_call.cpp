#include "theorems/language/writing/tex_call.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace attest::language {
namespace {

constexpr std::array greek = std::to_array<std::string_view>(
    {"alpha", "beta",  "gamma",  "delta", "epsilon", "zeta",  "eta",     "theta", "iota", "kappa", "lambda", "mu",
     "nu",    "xi",    "pi",     "rho",   "sigma",   "tau",   "upsilon", "phi",   "chi",  "psi",   "omega",  "Gamma",
     "Delta", "Theta", "Lambda", "Xi",    "Pi",      "Sigma", "Upsilon", "Phi",   "Psi",  "Omega"});

/// Notation with places for the arguments; everything else is its name before bracketed arguments.
constexpr std::array notations = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"sqrt", R"(\sqrt{{{0}}})"},
    {"cbrt", R"(\sqrt[3]{{{0}}})"},
    {"abs", R"(\left\lvert {0} \right\rvert)"},
    {"mod", R"(\left({0} \bmod {1}\right))"},
    {"floor", R"(\left\lfloor {0} \right\rfloor)"},
    {"ceil", R"(\left\lceil {0} \right\rceil)"},
    {"gamma", R"(\Gamma\left({0}\right))"},
    {"lgamma", R"(\log\Gamma\left({0}\right))"},
    {"digamma", R"(\psi\left({0}\right))"},
    {"beta", R"(\mathrm{{B}}\left({0}, {1}\right))"},
    {"binomial", R"(\binom{{{0}}}{{{1}}})"},
    {"factorial", R"(\left({0}\right)!)"},
    {"normal_cdf", R"(\Phi\left({0}\right))"},
    {"normal_pdf", R"(\varphi\left({0}\right))"},
    {"normal_quantile", R"(\Phi^{{-1}}\left({0}\right))"},
    {"norm", R"(\left\lVert {0} \right\rVert_{{{1}}})"},
    {"frobenius", R"(\left\lVert {0} \right\rVert_{{F}})"},
    {"opnorm", R"(\left\lVert {0} \right\rVert_{{\mathrm{{op}}}})"},
    {"dot", R"(\left\langle {0}, {1} \right\rangle)"},
    {"outer", R"(\left({0}\right) \left({1}\right)^{{\top}})"},
    {"trace", R"(\operatorname{{tr}}\left({0}\right))"},
    {"logdet", R"(\log\det\left({0}\right))"},
    {"inverse", R"(\left({0}\right)^{{-1}})"},
    {"eigenvalues", R"(\lambda\left({0}\right))"},
    {"eigmax", R"(\lambda_{{\max}}\left({0}\right))"},
    {"eigmin", R"(\lambda_{{\min}}\left({0}\right))"},
    {"singular_values", R"(\sigma\left({0}\right))"},
    {"identity", R"(I_{{{0}}})"},
    {"var", R"(\operatorname{{Var}}\left({0}\right))"},
    {"entropy", R"(H\left({0}\right))"},
    {"kl", R"(\operatorname{{KL}}\left({0} \,\middle\Vert\, {1}\right))"},
    {"tv", R"(\operatorname{{TV}}\left({0}, {1}\right))"},
    {"jacobian_softmax", R"(J_{{\operatorname{{softmax}}}}\left({0}\right))"},
});

/// What TeX has a command for.
constexpr std::array commands =
    std::to_array<std::string_view>({"exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "max", "min", "det"});

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& all, std::string_view word) {
  return std::ranges::find(all, word) != all.end();
}

std::string with_escapes(std::string_view word) {
  std::string text;
  for (const char c : word) text += c == '_' ? std::string("\\_") : std::string(1, c);
  return text;
}

/// A name without digits at its end and without underscores.
std::string stem(std::string_view name) {
  if (contains(greek, name)) return "\\" + std::string(name);
  return name.size() == 1 ? std::string(name) : fmt::format("\\mathit{{{}}}", with_escapes(name));
}

std::string bracketed(const std::string& head, const std::vector<std::string>& args) {
  return head + in_brackets(fmt::format("{}", fmt::join(args, ", ")));
}

/// Without \left, \middle and \right.
std::string plain_brackets(std::string text) {
  for (const std::string_view word : {"\\left", "\\middle", "\\right"})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at))
      text.erase(at, word.size());
  return text;
}

/// The notation around its arguments, with brackets as tall as they are.
std::string noted(std::string_view notation, const std::vector<std::string>& args) {
  const std::string fitted = std::ranges::all_of(args, [](const std::string& arg) { return is_flat(arg); })
                                 ? plain_brackets(std::string(notation))
                                 : std::string(notation);
  return fmt::format(fmt::runtime(fitted), args[0], args.size() > 1 ? args[1] : std::string("2"));
}

/// An upright array of the size {n} or {m, n}.
std::string of_size(const std::string& sign, const std::vector<std::string>& sizes) {
  return fmt::format("{}_{{{}}}", sign, fmt::join(sizes, " \\times "));
}

}  // namespace

std::string tex_name(std::string_view name) {
  std::size_t end = name.find('_', 1);
  std::string_view below = end == std::string_view::npos ? std::string_view{} : name.substr(end + 1);
  if (end == std::string_view::npos) {
    end = name.size();
    while (end > 1 && std::isdigit(static_cast<unsigned char>(name[end - 1])) != 0) --end;
    below = name.substr(end);
  }
  if (below.empty() || end == 0) return stem(name);
  const bool number = std::ranges::all_of(below, [](unsigned char c) { return std::isdigit(c) != 0; });
  return fmt::format("{}_{{{}}}", stem(name.substr(0, end)), number ? std::string(below) : stem(below));
}

std::string tex_operator(std::string_view word) { return fmt::format("\\operatorname{{{}}}", with_escapes(word)); }

bool is_flat(std::string_view tex) {
  constexpr std::array tall = {"\\frac",  "\\sum",  "\\prod", "\\left", "\\begin",
                               "\\binom", "\\sqrt", "\\max_", "\\min_", "^"};
  return std::ranges::none_of(tall, [&](std::string_view word) { return tex.find(word) != std::string_view::npos; });
}

std::string in_brackets(const std::string& tex) {
  return is_flat(tex) ? "(" + tex + ")" : "\\left(" + tex + "\\right)";
}

std::string tex_call(const Node& call, const std::vector<std::string>& args, const std::vector<std::string>& options) {
  const std::string& name = call.name;
  for (const auto& [function, notation] : notations)
    if (name == function) return noted(notation, args);
  if (name == "zeros") return of_size("0", args);
  if (name == "ones") return of_size("\\mathbf{1}", args);
  if (name == "attention") {
    std::vector<std::string> below{fmt::format("\\text{{{}}}", with_escapes(call.args[0]->name))};
    below.insert(below.end(), options.begin(), options.end());
    return bracketed(fmt::format("\\operatorname{{attention}}_{{{}}}", fmt::join(below, ",\\, ")),
                     {args.begin() + 1, args.end()});
  }
  return bracketed(contains(commands, name) ? "\\" + name : tex_operator(name), args);
}

}  // namespace attest::language
