#include "reports/html/katex.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "reports/files/atomic_file.hpp"
#include "reports/files/base64.hpp"

namespace attest::reports::html {
namespace {

using std::filesystem::path;

bool readable(const path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error);
}

/// The style sheet with each list of font sources reduced to its WOFF2 file, embedded.
std::string with_embedded_fonts(const std::string& css, const path& fonts) {
  std::string result;
  std::size_t copied = 0;
  for (std::size_t at = css.find("src:"); at != std::string::npos; at = css.find("src:", at)) {
    const std::size_t end = css.find_first_of(";}", at);
    const std::size_t name = css.find("fonts/", at);
    const std::size_t name_end = css.find(".woff2", at);
    if (end == std::string::npos || name_end == std::string::npos || name > name_end || name_end > end) break;
    const path font = fonts / (css.substr(name + 6, name_end - name - 6) + ".woff2");
    result += css.substr(copied, at - copied);
    if (readable(font)) {
      result += "src:url(data:font/woff2;base64," + base64(read_whole_file(font)) + ") format('woff2')";
    } else {
      result += "src:local('serif')";
    }
    copied = at = end;
  }
  return result + css.substr(copied);
}

path first_readable(const path& directory, const char* first, const char* second) {
  return readable(directory / first) ? directory / first : directory / second;
}

/// A font, by what its face says of it, and the TeX commands that ask for it.
struct Alphabet {
  std::array<std::string_view, 3> marks;
  std::array<std::string_view, 4> commands;
};

constexpr std::string_view bold = "font-weight:700";
constexpr std::string_view italic = "font-style:italic";
constexpr auto alphabets = std::to_array<Alphabet>({
    {{"KaTeX_Caligraphic", bold}, {"\\boldsymbol", "\\bm", "\\mathbf{\\mathcal", "\\bold"}},
    {{"KaTeX_Caligraphic"}, {"\\mathcal", "\\cal", "\\mathcal", "\\cal"}},
    {{"KaTeX_Fraktur"}, {"\\mathfrak", "\\frak", "\\mathfrak", "\\frak"}},
    {{"KaTeX_Script"}, {"\\mathscr", "\\mathscr", "\\mathscr", "\\mathscr"}},
    {{"KaTeX_SansSerif"}, {"\\mathsf", "\\textsf", "\\sf", "\\sf"}},
    {{"KaTeX_Typewriter"}, {"\\mathtt", "\\texttt", "\\tt", "\\tt"}},
    {{"KaTeX_Math", bold}, {"\\boldsymbol", "\\bm", "\\pmb", "\\bold"}},
    {{"KaTeX_Main", bold, italic}, {"\\boldsymbol", "\\bm", "\\textbf", "\\bold"}},
});

bool is_asked_for(std::string_view font_face, std::string_view html) {
  const auto contains = [](std::string_view text, std::string_view words) {
    return text.find(words) != std::string_view::npos;
  };
  for (const Alphabet& alphabet : alphabets) {
    if (!std::ranges::all_of(alphabet.marks, [&](std::string_view mark) { return contains(font_face, mark); }))
      continue;
    return std::ranges::any_of(alphabet.commands, [&](std::string_view command) { return contains(html, command); });
  }
  return true;
}

}  // namespace

std::string Katex::style_for(std::string_view html) const {
  std::string kept;
  std::size_t copied = 0;
  for (std::size_t at = style.find("@font-face"); at != std::string::npos; at = style.find("@font-face", copied)) {
    const std::size_t end = style.find('}', at);
    if (end == std::string::npos) break;
    kept += style.substr(copied, at - copied);
    const std::string_view face = std::string_view(style).substr(at, end + 1 - at);
    // The data of a font could hold any word: what describes it stands before and after.
    const std::size_t after = std::min(face.rfind("format("), face.size());
    if (is_asked_for(std::string(face.substr(0, face.find("src:"))).append(face.substr(after)), html)) kept += face;
    copied = end + 1;
  }
  return kept + style.substr(copied);
}

std::vector<path> katex_directories() {
  std::vector<path> directories;
  if (const char* chosen = std::getenv("ATTEST_KATEX"); chosen != nullptr && *chosen != '\0') directories = {chosen};
  for (const char* usual : {"/usr/share/javascript/katex", "/usr/share/nodejs/katex/dist", "/usr/share/katex",
                            "/usr/lib/node_modules/katex/dist", "/usr/local/lib/node_modules/katex/dist"}) {
    directories.emplace_back(usual);
  }
  return directories;
}

Katex load_katex(const std::vector<path>& directories) {
  for (const path& directory : directories) {
    const path script = first_readable(directory, "katex.min.js", "katex.js");
    const path style = first_readable(directory, "katex.min.css", "katex.css");
    if (!readable(script) || !readable(style)) continue;
    // Debian keeps the fonts in a package of their own and leaves a link, which dangles without it.
    path fonts = directory / "fonts";
    std::error_code error;
    if (!std::filesystem::is_directory(fonts, error)) fonts = "/usr/share/fonts/truetype/katex";
    return {read_whole_file(script), with_embedded_fonts(read_whole_file(style), fonts)};
  }
  return {};
}

}  // namespace attest::reports::html
