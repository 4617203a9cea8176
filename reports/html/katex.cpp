#include "reports/html/katex.hpp"

#include <cstdlib>

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

}  // namespace

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
