#include "theorems/language/papers/tex_source.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernels/digest/sha256.hpp"

namespace attest::language {
namespace {

constexpr std::array kinds = {"theorem", "lemma",      "proposition", "corollary",   "claim",   "conjecture",
                              "remark",  "definition", "assumption",  "observation", "example", "equation",
                              "align",   "gather",     "multline",    "subequations"};

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

/// The line of a place in a text, found without counting from its start again.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      ends_.push_back(at);
  }
  int of(std::size_t at) const { return static_cast<int>(std::ranges::lower_bound(ends_, at) - ends_.begin()) + 1; }

 private:
  std::vector<std::size_t> ends_;
};

/// The rows between `begin` and `end`, which \\ ends where no group and no inner environment is open: first and last
/// place of each.
std::vector<std::pair<std::size_t, std::size_t>> rows_between(std::string_view tex, std::size_t begin,
                                                              std::size_t end) {
  std::vector<std::pair<std::size_t, std::size_t>> rows;
  int depth = 0;
  std::size_t from = begin;
  for (std::size_t at = begin; at < end; ++at) {
    const std::string_view here = tex.substr(at, end - at);
    if (here.starts_with("\\\\")) {
      if (depth == 0) {
        rows.emplace_back(from, at);
        from = at + 2;
        if (from < end && tex[from] == '[')
          if (const std::size_t close = group_end(tex, from, '[', ']'); close < end) from = close;
      }
      ++at;
    } else if (here.starts_with(begin_word) || tex[at] == '{') {
      ++depth;
    } else if (here.starts_with(end_word) || tex[at] == '}') {
      --depth;
    } else if (tex[at] == '\\') {
      ++at;  // an escaped bracket opens nothing
    }
  }
  rows.emplace_back(from, end);
  return rows;
}

/// An environment of several labelled rows as one for each row; else itself, whole.
std::vector<TexEnvironment> by_rows(const TexEnvironment& whole, std::string_view tex, const Lines& lines,
                                    std::size_t begin, std::size_t end) {
  std::vector<TexEnvironment> rows;
  if (whole.kind.starts_with("align") || whole.kind.starts_with("gather")) {
    for (const auto& [first, last] : rows_between(tex, begin, end)) {
      const std::size_t label = tex.substr(0, last).find(label_word, first);
      if (label == std::string_view::npos) continue;
      TexEnvironment row = whole;
      row.label = with_single_blanks(argument(tex, label + label_word.size()));
      row.line = lines.of(label);
      row.text = text_between(tex, first, last);
      rows.push_back(std::move(row));
    }
  }
  return rows.size() > 1 ? rows : std::vector{whole};
}

}  // namespace

std::vector<TexEnvironment> labelled_environments(std::string_view source) {
  const std::string tex = without_comments(source);
  const std::string_view text = tex;
  const Lines lines(text);
  std::vector<TexEnvironment> found;
  std::vector<Open> open;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos; at = text.find('\\', at + 1)) {
    const std::string_view here = text.substr(at);
    if (here.starts_with(begin_word)) {
      const std::string_view kind = argument(text, at + begin_word.size());
      if (!is_known(kind)) continue;
      std::size_t begin = at + begin_word.size() + kind.size() + 2;
      TexEnvironment environment{.kind = std::string(kind), .line = lines.of(at)};
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
      const Open closed = open.back();
      open.pop_back();
      found[closed.place].text = text_between(text, closed.begin, at);
      const std::vector<TexEnvironment> rows = by_rows(found[closed.place], text, lines, closed.begin, at);
      const auto place = found.erase(found.begin() + static_cast<std::ptrdiff_t>(closed.place));
      found.insert(place, rows.begin(), rows.end());
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
