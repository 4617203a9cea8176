#include "theorems/language/papers/tex_source.hpp"

#include <algorithm>
#include <array>

#include "kernels/digest/sha256.hpp"

namespace attest::language {
namespace {

constexpr std::array kinds = {"theorem",    "lemma",    "proposition", "corollary",  "claim",
                              "conjecture", "remark",   "definition",  "assumption", "observation",
                              "example",    "equation", "align",       "gather",     "multline"};

bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// The source with every comment blanked, so that places stay where they are.
std::string without_comments(std::string_view tex) {
  std::string text(tex);
  bool escaped = false, comment = false;
  for (char& c : text) {
    if (c == '\n') {
      comment = escaped = false;
      continue;
    }
    if (comment) {
      c = ' ';
      continue;
    }
    if (c == '%' && !escaped) {
      comment = true;
      c = ' ';
    }
    escaped = c == '\\' && !escaped;
  }
  return text;
}

std::string with_single_blanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_blank(c))
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// The end of the group that `open` begins at `at`, one beyond its closing bracket; npos where it is not closed.
std::size_t group_end(std::string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
      continue;
    }
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

/// The argument {...} that stands at `at`; empty where none does.
std::string_view argument(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '{') return {};
  const std::size_t end = group_end(text, at, '{', '}');
  return end == std::string_view::npos ? std::string_view{} : text.substr(at + 1, end - at - 2);
}

bool is_known(std::string_view kind) {
  if (kind.ends_with('*')) kind.remove_suffix(1);
  return std::ranges::any_of(kinds, [&](const char* known) { return kind == known; });
}

/// An environment that has begun.
struct Open {
  std::size_t place;  ///< in the list of found ones
  std::size_t begin;  ///< of its text
};

constexpr std::string_view begin_word = "\\begin", end_word = "\\end", label_word = "\\label";

/// The text between `begin` and `end` without its labels.
std::string text_between(std::string_view tex, std::size_t begin, std::size_t end) {
  std::string text;
  std::string_view rest = tex.substr(begin, end - begin);
  for (std::size_t at = rest.find(label_word); at != std::string_view::npos; at = rest.find(label_word)) {
    text += rest.substr(0, at);
    const std::size_t close = group_end(rest, at + label_word.size(), '{', '}');
    rest = close == std::string_view::npos ? std::string_view{} : rest.substr(close);
  }
  return with_single_blanks(text + std::string(rest));
}

}  // namespace

std::vector<TexEnvironment> labelled_environments(std::string_view source) {
  const std::string tex = without_comments(source);
  const std::string_view text = tex;
  std::vector<TexEnvironment> found;
  std::vector<Open> open;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
    const std::string_view here = text.substr(at);
    if (here.starts_with(begin_word)) {
      const std::string_view kind = argument(text, at + begin_word.size());
      if (!is_known(kind)) continue;
      std::size_t begin = at + begin_word.size() + kind.size() + 2;
      TexEnvironment environment{
          .kind = std::string(kind),
          .line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + 1};
      if (begin < text.size() && text[begin] == '[') {
        const std::size_t end = group_end(text, begin, '[', ']');
        if (end != std::string_view::npos) {
          environment.title = with_single_blanks(text.substr(begin + 1, end - begin - 2));
          begin = end;
        }
      }
      open.push_back({found.size(), begin});
      found.push_back(std::move(environment));
    } else if (here.starts_with(end_word) && !open.empty() &&
               argument(text, at + end_word.size()) == found[open.back().place].kind) {
      found[open.back().place].text = text_between(text, open.back().begin, at);
      open.pop_back();
    } else if (here.starts_with(label_word) && !open.empty() && found[open.back().place].label.empty()) {
      found[open.back().place].label = with_single_blanks(argument(text, at + label_word.size()));
    }
  }
  std::erase_if(found, [](const TexEnvironment& e) { return e.label.empty() || e.text.empty(); });
  return found;
}

std::string digest_of(const TexEnvironment& environment) { return "sha256:" + digest::sha256(environment.text); }

std::string title_of(std::string_view source) {
  const std::string tex = without_comments(source);
  const std::size_t at = tex.find("\\title{");
  return at == std::string::npos ? "" : with_single_blanks(argument(tex, at + 6));
}

}  // namespace attest::language
