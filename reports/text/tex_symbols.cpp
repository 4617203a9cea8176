#include "reports/text/tex_symbols.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace attest::reports {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr auto symbols = std::to_array<Pair>({
    {"ell", "ℓ"},
    {"partial", "∂"},
    {"nabla", "∇"},
    {"infty", "∞"},
    {"sum", "∑"},
    {"prod", "∏"},
    {"int", "∫"},
    {"forall", "∀ "},
    {"exists", "∃ "},
    {"le", " ≤ "},
    {"leq", " ≤ "},
    {"ge", " ≥ "},
    {"geq", " ≥ "},
    {"ne", " ≠ "},
    {"neq", " ≠ "},
    {"approx", " ≈ "},
    {"sim", " ~ "},
    {"asymp", " ≍ "},
    {"lesssim", " ≲ "},
    {"gtrsim", " ≳ "},
    {"equiv", " ≡ "},
    {"propto", " ∝ "},
    {"in", " ∈ "},
    {"notin", " ∉ "},
    {"subset", " ⊂ "},
    {"subseteq", " ⊆ "},
    {"cup", " ∪ "},
    {"cap", " ∩ "},
    {"to", " → "},
    {"rightarrow", " → "},
    {"longrightarrow", " → "},
    {"mapsto", " ↦ "},
    {"implies", " ⟹ "},
    {"Rightarrow", " ⟹ "},
    {"Longrightarrow", " ⟹ "},
    {"iff", " ⟺ "},
    {"Leftrightarrow", " ⟺ "},
    {"Longleftrightarrow", " ⟺ "},
    {"times", "×"},
    {"cdot", "·"},
    {"circ", "∘"},
    {"odot", "⊙"},
    {"otimes", "⊗"},
    {"oplus", "⊕"},
    {"pm", "±"},
    {"mp", "∓"},
    {"ldots", "…"},
    {"dots", "…"},
    {"cdots", "…"},
    {"vdots", "…"},
    {"top", "ᵀ"},
    {"langle", "⟨"},
    {"rangle", "⟩"},
    {"lVert", "‖"},
    {"rVert", "‖"},
    {"Vert", "‖"},
    {"lvert", "|"},
    {"rvert", "|"},
    {"vert", "|"},
    {"mid", " | "},
    {"lfloor", "⌊"},
    {"rfloor", "⌋"},
    {"lceil", "⌈"},
    {"rceil", "⌉"},
    {"prime", "′"},
    {"star", "*"},
    {"ast", "*"},
    {"setminus", " \\ "},
    {"emptyset", "∅"},
    {"succeq", " ⪰ "},
    {"preceq", " ⪯ "},
    {"succ", " ≻ "},
    {"ll", " ≪ "},
    {"gg", " ≫ "},
    {"land", " ∧ "},
    {"lor", " ∨ "},
    {"neg", "¬"},
    {"perp", "⊥"},
    {"quad", "  "},
    {"qquad", "   "},
    {"colon", ": "},
    {"coloneqq", " := "},
});

constexpr auto silent = std::to_array<std::string_view>(
    {"left",   "right",        "big",      "Big",    "bigl",      "bigr",         "Bigl",
     "Bigr",   "bigg",         "Bigg",     "biggl",  "biggr",     "displaystyle", "textstyle",
     "limits", "nolimits",     "nonumber", "text",   "textrm",    "textit",       "textbf",
     "mathrm", "mathbf",       "mathit",   "mathsf", "mathcal",   "mathfrak",     "boldsymbol",
     "bm",     "operatorname", "mathop",   "middle", "mathstrut", "hphantom"});

constexpr auto accents = std::to_array<Pair>({{"hat", "\u0302"},
                                              {"widehat", "\u0302"},
                                              {"tilde", "\u0303"},
                                              {"widetilde", "\u0303"},
                                              {"bar", "\u0304"},
                                              {"overline", "\u0304"},
                                              {"vec", "\u20d7"},
                                              {"dot", "\u0307"},
                                              {"ddot", "\u0308"}});

constexpr auto blackboard = std::to_array<Pair>(
    {{"R", "ℝ"}, {"E", "𝔼"}, {"P", "ℙ"}, {"N", "ℕ"}, {"Z", "ℤ"}, {"C", "ℂ"}, {"Q", "ℚ"}, {"1", "𝟙"}});

constexpr auto superscripts = std::to_array<Pair>({{"0", "⁰"},
                                                   {"1", "¹"},
                                                   {"2", "²"},
                                                   {"3", "³"},
                                                   {"4", "⁴"},
                                                   {"5", "⁵"},
                                                   {"6", "⁶"},
                                                   {"7", "⁷"},
                                                   {"8", "⁸"},
                                                   {"9", "⁹"},
                                                   {"+", "⁺"},
                                                   {"-", "⁻"},
                                                   {"n", "ⁿ"},
                                                   {"i", "ⁱ"},
                                                   {"ᵀ", "ᵀ"},
                                                   {"′", "′"},
                                                   {"*", "*"}});

constexpr auto subscripts = std::to_array<Pair>({{"0", "₀"},
                                                 {"1", "₁"},
                                                 {"2", "₂"},
                                                 {"3", "₃"},
                                                 {"4", "₄"},
                                                 {"5", "₅"},
                                                 {"6", "₆"},
                                                 {"7", "₇"},
                                                 {"8", "₈"},
                                                 {"9", "₉"},
                                                 {"+", "₊"},
                                                 {"-", "₋"},
                                                 {"i", "ᵢ"},
                                                 {"j", "ⱼ"},
                                                 {"n", "ₙ"},
                                                 {"k", "ₖ"},
                                                 {"t", "ₜ"}});

template <std::size_t n>
const std::string_view* lookup(const std::array<Pair, n>& table, std::string_view key) {
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const Pair& p) { return p.first == key; });
  return found == std::end(table) ? nullptr : &found->second;
}

template <std::size_t n>
std::string shifted(const std::array<Pair, n>& table, std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto found = std::find_if(std::begin(table), std::end(table),
                                    [&](const Pair& p) { return text.substr(0, p.first.size()) == p.first; });
    if (found == std::end(table)) return {};
    result += found->second;
    text.remove_prefix(found->first.size());
  }
  return result;
}

}  // namespace

const std::string_view* tex_symbol(std::string_view command) { return lookup(symbols, command); }

bool is_silent_tex(std::string_view command) {
  return std::find(std::begin(silent), std::end(silent), command) != std::end(silent);
}

const std::string_view* tex_accent(std::string_view command) { return lookup(accents, command); }

const std::string_view* double_struck(std::string_view letter) { return lookup(blackboard, letter); }

std::string raised(std::string_view text) { return shifted(superscripts, text); }

std::string lowered(std::string_view text) { return shifted(subscripts, text); }

}  // namespace attest::reports
