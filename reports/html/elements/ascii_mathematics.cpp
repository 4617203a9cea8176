#include "reports/html/elements/ascii_mathematics.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "reports/html/elements/prose.hpp"
#include "reports/text/greek.hpp"
#include "reports/text/markup.hpp"
#include "reports/text/numbers.hpp"

namespace attest::reports::html {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

/// Longer ones first, so that "<~" is not read as "<".
constexpr auto operators = std::to_array<Pair>({{"+/-", "±"},
                                                {"+-", "±"},
                                                {"<->", "↔"},
                                                {"<=>", "⟺"},
                                                {"<=", "≤"},
                                                {">=", "≥"},
                                                {"!=", "≠"},
                                                {"->", "→"},
                                                {"<- ", "← "},
                                                {"=>", "⟹"},
                                                {"<~", "≲"},
                                                {"||", "‖"}});

/// Words that take an index although they are longer than a symbol.
constexpr auto operations = std::to_array<std::string_view>({"max", "min", "sup", "inf", "lim", "dx", "df"});

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

/// Length of the decimal number at the front of `text`, with its exponent, or 0.
std::size_t number_length(std::string_view text) {
  std::size_t length = 0;
  const auto digits = [&] {
    const std::size_t start = length;
    while (length < text.size() && is_digit(text[length])) ++length;
    return length - start;
  };
  if (digits() == 0) return 0;
  if (length + 1 < text.size() && text[length] == '.' && is_digit(text[length + 1])) {
    ++length;
    digits();
  }
  const std::size_t mantissa = length;
  if (length < text.size() && text[length] == 'e') {
    ++length;
    if (length < text.size() && (text[length] == '-' || text[length] == '+')) ++length;
    if (digits() == 0) length = mantissa;
  }
  if (length == text.size() || !is_letter(text[length])) return length;
  // "2A" is a number and a symbol; "0x1e3" and "2nd" are words that start with a digit.
  const bool factor = length + 1 == text.size() || !is_word(text[length + 1]) || text[length + 1] == '_';
  return factor ? length : 0;
}

bool is_decimal_point(std::string_view text, std::size_t at) {
  return text[at] == '.' && at > 0 && is_digit(text[at - 1]) && at + 1 < text.size() && is_digit(text[at + 1]);
}

class Setter {
 public:
  Setter(std::string_view text, Digits digits) : text_(text), digits_(digits) {}

  std::string all() {
    while (at_ < text_.size()) step();
    return std::move(html_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char previous() const { return at_ == 0 ? ' ' : text_[at_ - 1]; }

  void step() {
    const char c = text_[at_];
    if (c == '[' && digits_ == Digits::rounded && set_enclosure()) return;
    if (is_digit(c) && !is_word(previous()) && previous() != '.') {
      if (const std::size_t length = number_length(rest()); length > 0) return set_number(length);
    }
    if (is_letter(c) && (!is_word(previous()) || after_symbol_ == at_)) return set_word();
    if (set_operator()) return;
    if (c == '^' && (is_word(previous()) || std::string_view(")]}|~").find(previous()) != std::string_view::npos)) {
      if (set_script("sup")) return;
    }
    if (c == '_' && std::string_view(")]|").find(previous()) != std::string_view::npos && set_script("sub")) return;
    if (c == '-' && is_minus()) {
      html_ += "−";
      ++at_;
      return;
    }
    if (c == '\'') quoted_ = opens_quotation(at_) || (quoted_ && !closes_quotation(at_));
    // Bytes of one UTF-8 character go together.
    std::size_t length = 1;
    while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xC0U) == 0x80U) ++length;
    html_ += escaped(text_.substr(at_, length));
    at_ += length;
  }

  bool letter_at(std::size_t at) const { return at < text_.size() && is_letter(text_[at]); }

  /// 'A quotation' begins before a word and ends after one; the apostrophe of "d's" does neither.
  bool opens_quotation(std::size_t at) const {
    return (at == 0 || std::string_view(" ([").find(text_[at - 1]) != std::string_view::npos) &&
           at + 1 < text_.size() && text_[at + 1] != ' ';
  }
  bool closes_quotation(std::size_t at) const {
    return at > 0 && text_[at - 1] != ' ' && !letter_at(at + 1) && !opens_quotation(at);
  }

  /// Whether the mark at `at` ends the quotation that is open: before punctuation, or as the last one that can before
  /// the next quotation opens.
  bool ends_quotation(std::size_t at) const {
    if (!quoted_ || !closes_quotation(at)) return false;
    if (at + 1 == text_.size() || std::string_view(".,;:!?)]").find(text_[at + 1]) != std::string_view::npos)
      return true;
    for (std::size_t i = at + 1; i < text_.size(); ++i) {
      if (text_[i] != '\'') continue;
      if (opens_quotation(i)) return true;
      if (closes_quotation(i)) return false;
    }
    return true;
  }

  /// A sign in front of a number, or a minus with a space on either side after a symbol or a number.
  bool is_minus() const {
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    if (is_digit(next) || next == '(') return std::string_view(" [(,=^").find(previous()) != std::string_view::npos;
    if (is_letter(next)) return std::string_view("[(=").find(previous()) != std::string_view::npos;
    return next == ' ' && previous() == ' ' && after_symbol_ == at_ - 1;
  }

  bool set_operator() {
    for (const auto& [ascii, sign] : operators) {
      if (rest().substr(0, ascii.size()) != ascii) continue;
      html_ += sign;
      at_ += ascii.size();
      return true;
    }
    return false;
  }

  void set_number(std::size_t length) {
    std::string spelled(rest().substr(0, length));
    at_ += length;
    after_symbol_ = at_;
    const std::size_t exponent = spelled.find('e');
    const auto digits = std::count_if(
        spelled.begin(), spelled.begin() + static_cast<std::ptrdiff_t>(std::min(exponent, spelled.size())), is_digit);
    if (digits_ == Digits::rounded && digits >= 12) spelled = readable_number(std::strtod(spelled.c_str(), nullptr), 6);
    html_ += with_power(spelled);
  }

  std::string with_power(const std::string& spelled) const {
    const std::size_t e = spelled.find('e');
    if (e == std::string::npos) return spelled;
    const std::string mantissa = spelled.substr(0, e);
    const int exponent = std::atoi(spelled.c_str() + e + 1);
    // "1.02e+03" is what a program prints where a person writes 1020.
    if (exponent >= 0 && exponent <= 5) {
      const double value = std::strtod(spelled.c_str(), nullptr);
      if (digits_ == Digits::rounded) return readable_number(value, 6);
      const std::size_t point = mantissa.find('.');
      const auto decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point) - 1;
      return fmt::format("{:.{}f}", value, std::max(0, decimals - exponent));
    }
    return fmt::format("{}10<sup>{}{}</sup>", mantissa == "1" ? "" : mantissa + "\u202F×\u202F",
                       exponent < 0 ? "−" : "", std::abs(exponent));
  }

  /// "[m +/- r]" as the digits of m that are certain.
  bool set_enclosure() {
    const std::string text(rest());
    char* end = nullptr;
    const double middle = std::strtod(text.c_str() + 1, &end);
    constexpr std::string_view sign = " +/- ";
    if (end == text.c_str() + 1 || std::string_view(end).substr(0, sign.size()) != sign) return false;
    const char* radius_start = end + sign.size();
    const double radius = std::strtod(radius_start, &end);
    if (end == radius_start || *end != ']' || !(radius < std::abs(middle))) return false;
    const int certain = radius > 0 ? static_cast<int>(std::floor(std::log10(std::abs(middle) / radius))) : 6;
    at_ += static_cast<std::size_t>(end - text.c_str()) + 1;
    after_symbol_ = at_;
    html_ += (middle < 0 ? "−" : "") + with_power(readable_number(std::abs(middle), std::clamp(certain, 1, 6)));
    return true;
  }

  void set_word() {
    std::size_t length = 0;
    while (length < rest().size() && is_letter(rest()[length])) ++length;
    const std::string_view word = rest().substr(0, length);
    std::string_view letter = greek_letter(word);
    // The function, not the number.
    if (word == "gamma" && rest().substr(length, 1) == "(") letter = "Γ";
    if (rest().substr(length, 1) == "_") {
      if (word == "int") letter = "∫";
      if (word == "sum") letter = "∑";
      if (word == "prod") letter = "∏";
    }
    if (word == "sqrt") {
      html_ += "√";
      at_ += length;
      if (at_ < text_.size() && text_[at_] == ' ') ++at_;
      return;
    }
    if (word == "infinity" && (html_.ends_with("= ") || html_.ends_with("→ "))) {
      html_ += "∞";
      at_ += length;
      return;
    }
    // Capitals may be several: K_SA and A_KK are symbols, snr_boosting is a name.
    const bool capitals =
        length <= 2 && std::all_of(word.begin(), word.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    const bool operation = rest().substr(length, 1) == "_" && std::ranges::find(operations, word) != operations.end();
    const bool symbol = !letter.empty() || length == 1 || capitals || operation;
    at_ += length;
    const std::string_view accent = symbol ? accent_here() : std::string_view();
    if (!accent.empty()) {
      // Few text fonts place an accent on a Greek letter well; KaTeX does.
      const bool named = accent.front() == '_';
      html_ +=
          inline_formula(fmt::format("\\{}{{{}{}}}", accent.substr(named ? 1 : 0), letter.empty() ? "" : "\\", word));
      at_ += named ? accent.size() : 1;
    } else {
      html_ += letter.empty() ? escaped(word) : std::string(letter);
    }
    if (!symbol) return;
    if (!letter.empty()) set_digits_below();
    set_primes();
    while (at_ < text_.size() && (text_[at_] == '_' || text_[at_] == '^')) {
      if (!set_script(text_[at_] == '_' ? "sub" : "sup")) break;
    }
    after_symbol_ = at_;
  }

  /// The accent meant after a symbol by a lone ~ or ^, or its name as it is typed: "_hat".
  std::string_view accent_here() const {
    if (at_ >= text_.size()) return {};
    for (const std::string_view named : {"_hat", "_tilde", "_bar"}) {
      const std::size_t end = at_ + named.size();
      if (rest().substr(0, named.size()) == named && (end == text_.size() || !is_word(text_[end]))) return named;
    }
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    // "L~X" is a product; "x~y" relates two symbols.
    const bool matrix = std::isupper(static_cast<unsigned char>(previous())) != 0;
    if (text_[at_] == '~' && (matrix || !is_letter(next))) return "tilde";
    const bool lone = next == '_' || (!is_word(next) && next != '{' && next != '-' && next != '(' && next != '*');
    return text_[at_] == '^' && lone ? "hat" : std::string_view();
  }

  /// "theta0" is the first of several.
  void set_digits_below() {
    std::size_t length = 0;
    while (length < rest().size() && is_digit(rest()[length])) ++length;
    if (length == 0 || (length < rest().size() && is_word(rest()[length]))) return;
    html_ += fmt::format("<sub>{}</sub>", rest().substr(0, length));
    at_ += length;
  }

  /// Derivatives: "m''" but neither the apostrophe of "d's" nor the end of 'the context length N'.
  void set_primes() {
    std::size_t count = 0;
    while (at_ + count < text_.size() && text_[at_ + count] == '\'') ++count;
    if (count > 0 && ends_quotation(at_ + count - 1)) --count;  // the last one ends the quotation
    if (count == 0 || letter_at(at_ + count)) return;
    static constexpr std::array<std::string_view, 4> primes = {"′", "″", "‴", "⁗"};
    at_ += count;
    for (; count > 0; count -= std::min(count, std::size(primes)))
      html_ += primes[std::min(count, std::size(primes)) - 1];
  }

  /// What stands after `_` or `^`: a group in braces, or a sign, letters and digits. False, and nothing is taken, when
  /// there is neither.
  bool set_script(std::string_view element) {
    const std::string_view after = rest().substr(1);
    std::size_t taken = 0;
    std::string_view content;
    const char open = after.empty() ? ' ' : after.front();
    if (open == '{' || (open == '(' && element == "sup")) {
      const std::size_t close = after.find(open == '{' ? '}' : ')');
      if (close == std::string_view::npos) return false;
      content = after.substr(1, close - 1);
      taken = close + 1;
    } else {
      if (!after.empty() && after.front() == '-' && element == "sup") taken = 1;
      const std::size_t start = taken;
      while (taken < after.size() &&
             (is_letter(after[taken]) || is_digit(after[taken]) || is_decimal_point(after, taken))) {
        ++taken;
      }
      // A lone sign marks a part: S_+ is the positive half of S.
      if (taken == 0 && element == "sub" && (open == '+' || open == '-')) taken = 1;
      if (taken == start) return false;
      content = after.substr(0, taken);
    }
    html_ += fmt::format("<{0}>{1}</{0}>", element, Setter(content, Digits::exact).all());
    at_ += 1 + taken;
    after_symbol_ = at_;
    return true;
  }

  std::string_view text_;
  Digits digits_;
  std::size_t at_ = 0;
  bool quoted_ = false;                                ///< a quotation in single marks is open
  std::size_t after_symbol_ = std::string_view::npos;  ///< where the last symbol or number ended
  std::string html_;
};

}  // namespace

std::string set_ascii_mathematics(std::string_view text, Digits digits) { return Setter(text, digits).all(); }

}  // namespace attest::reports::html
