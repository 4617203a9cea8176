// What stands around the content of every page: head, navigation, end.
#pragma once

#include <string>
#include <string_view>

#include "reports/html/katex.hpp"
#include "reports/record/results.hpp"

namespace attest::reports::html {

/// What a page is called and made of.
struct Frame {
  std::string file;        ///< its own name: links to it become links within it
  std::string title;       ///< plain text, after "Attest: "
  std::string heading;     ///< HTML of the first heading
  std::string subheading;  ///< HTML of the line beside it
  std::string navigation;  ///< HTML; empty for none
  std::string source;      ///< the file beside it that it was made from
};

/// The whole document around `content`. KaTeX's style carries only the fonts that the page's formulas can ask for.
std::string framed(const Frame& frame, const std::string& content, const Results& results, const Katex& katex);

}  // namespace attest::reports::html
