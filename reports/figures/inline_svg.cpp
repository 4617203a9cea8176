#include "reports/figures/inline_svg.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "reports/figures/palette.hpp"
#include "reports/text/markup.hpp"

namespace attest::reports {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Removes everything from `from` up to the end of `to`, wherever that occurs.
void remove_between(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t start = text.find(from); start != std::string::npos; start = text.find(from, start)) {
    const std::size_t end = text.find(to, start + from.size());
    if (end == std::string::npos) return;
    text.erase(start, end + to.size() - start);
  }
}

/// gnuplot spells the colour of a line "rgb( 27,  94, 155)" and that of a text "rgb(27,94,155)".
void replace_colour(std::string& text, const PaletteColour& colour) {
  const long code = std::strtol(std::string(colour.hex.substr(1)).c_str(), nullptr, 16);
  const long red = code >> 16 & 0xFF, green = code >> 8 & 0xFF, blue = code & 0xFF;
  replace_all(text, fmt::format("rgb({:3}, {:3}, {:3})", red, green, blue), colour.css);
  replace_all(text, fmt::format("rgb({},{},{})", red, green, blue), colour.css);
}

/// Removes "<g ...>" that is closed at once; what then becomes empty goes, too.
void remove_empty_groups(std::string& text) {
  std::size_t close = text.find("</g>");
  while (close != std::string::npos) {
    const std::size_t open = text.rfind('<', close - 1);
    const std::size_t open_end = text.find('>', open);
    const bool empty = text.compare(open, 2, "<g") == 0 && text.find_first_not_of(" \t\n", open_end + 1) == close;
    if (empty) text.erase(open, close + 4 - open);
    close = text.find("</g>", empty ? open : close + 4);
  }
}

/// Removes the definitions of markers that nothing refers to, last ones first: a definition may use an earlier one.
void remove_unused_shapes(std::string& text) {
  std::size_t at = text.find("</defs>");
  while (at != std::string::npos && at > 0) {
    at = text.rfind(" id='", at - 1);
    if (at == std::string::npos) break;
    const std::size_t start = text.rfind('<', at);
    const std::size_t end = text.find("/>", at);
    const std::string id = text.substr(at + 5, text.find('\'', at + 5) - at - 5);
    if (text.find("#" + id + "'") == std::string::npos) text.erase(start, end + 2 - start);
    at = start;
  }
}

/// Removes the markers that gnuplot draws at a hundredth of their size where a line is lifted off its halo: nobody sees
/// them.
void remove_specks(std::string& text) {
  for (std::size_t at = text.find(" scale(0.0"); at != std::string::npos; at = text.find(" scale(0.0", at)) {
    const std::size_t start = text.rfind('<', at), end = text.find("/>", at);
    if (end == std::string::npos || text.compare(start, 4, "<use") != 0) {
      ++at;
      continue;
    }
    text.erase(start, end + 2 - start);
    at = start;
  }
}

/// Joins "<g A>...</g><g A>...</g>" where nothing but white space stands between and neither holds a group.
void join_equal_groups(std::string& text) {
  std::size_t close = text.find("</g>");
  while (close != std::string::npos) {
    const std::size_t next = text.find_first_not_of(" \t\n", close + 4);
    const std::size_t open = text.rfind("<g ", close);
    if (next == std::string::npos || open == std::string::npos) return;
    const std::string tag = text.substr(open, text.find('>', open) + 1 - open);
    const std::size_t bare = text.rfind("<g>", close);
    const bool innermost = text.find("</g>", open) == close && (bare == std::string::npos || bare < open);
    const bool equal = innermost && text.compare(next, tag.size(), tag) == 0;
    if (equal) text.erase(close, next + tag.size() - close);
    close = text.find("</g>", equal ? close : close + 4);
  }
}

/// What its ids begin with: every marker of a drawing names one of them.
std::string short_name(std::string_view figure) {
  constexpr std::size_t short_enough = 8;
  if (figure.size() <= short_enough) return std::string(figure);
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : figure) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return fmt::format("f{:x}", hash >> 36U);
}

void remove_blank_lines(std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool after_break = result.empty() || result.back() == '\n';
    if (after_break && (c == '\n' || c == '\t' || c == ' ')) continue;
    result += c;
  }
  text = std::move(result);
}

}  // namespace

std::string inline_svg(std::string_view svg, std::string_view figure, std::string_view description) {
  const std::string name = short_name(figure);
  const std::size_t open = svg.find("<svg");
  const std::size_t open_end = svg.find('>', open);
  if (open == std::string_view::npos || open_end == std::string_view::npos) return {};
  const std::string_view opening = svg.substr(open, open_end - open);
  const std::size_t box = opening.find("viewBox=\"");
  const std::string_view view_box =
      box == std::string_view::npos ? "0 0 480 340" : opening.substr(box + 9, opening.find('"', box + 9) - box - 9);

  std::string body(svg.substr(open_end + 1));
  remove_between(body, "<title>", "</title>");
  remove_between(body, "<desc>", "</desc>");
  remove_between(body, "<filter", "</filter>");
  remove_between(body, " font-family=\"", "\"");
  for (const PaletteColour& colour : {ink_colour, muted_colour, grid_colour}) replace_colour(body, colour);
  for (const PaletteColour& colour : series_colours) replace_colour(body, colour);
  for (const std::string_view quote : {"'", "\""}) {
    replace_all(body, fmt::format("{0}black{0}", quote), fmt::format("{0}var(--ink){0}", quote));
    // White is the halo round a marker, which lifts it off its line.
    replace_all(body, fmt::format("{0}white{0}", quote), fmt::format("{0}var(--paper){0}", quote));
  }
  for (const std::string_view quote : {"'", "\""}) {
    replace_all(body, fmt::format(" id={}", quote), fmt::format(" id={}{}-", quote, name));
    replace_all(body, fmt::format("xlink:href={}#", quote), fmt::format("href={}#{}-", quote, name));
  }
  replace_all(body, "url(#", fmt::format("url(#{}-", name));
  // What every drawing repeats and none needs: groups without content, defaults spelled out, unused marker shapes.
  remove_between(body, fmt::format(" id=\"{}-gnuplot_plot_", name), "\"");
  replace_all(body, R"( stroke-linecap="butt" stroke-linejoin="miter")", "");
  remove_specks(body);
  remove_empty_groups(body);
  join_equal_groups(body);
  remove_unused_shapes(body);
  remove_blank_lines(body);
  return fmt::format(R"(<svg class="plot" viewBox="{}" role="img" aria-label="{}">{})", escaped(view_box),
                     escaped(description), body);
}

}  // namespace attest::reports
