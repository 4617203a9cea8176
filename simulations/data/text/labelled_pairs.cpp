#include "simulations/data/text/labelled_pairs.hpp"

#include <fmt/format.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {

LabelledPairs select(const LabelledPairs& pairs, std::span<const std::size_t> indices) {
  LabelledPairs chosen;
  chosen.classes = pairs.classes;
  for (const std::size_t index : indices) {
    chosen.first.push_back(pairs.first.at(index));
    chosen.second.push_back(pairs.second.at(index));
    chosen.labels.push_back(pairs.labels.at(index));
  }
  return chosen;
}

LabelledPairs parse_paper_pairs(std::string_view bytes, const std::string& name) {
  check_text(bytes, name);
  LabelledPairs pairs;
  pairs.classes = {{"not cited", "cited"}};
  LineReader reader(bytes);
  for (Line line; reader.next(line);) {
    const std::string place = place_of(name, line.number);
    const auto fields = split(line.text, '\t');
    if (fields.size() != 5)
      refuse(place, fmt::format("{} where label, two papers and two texts are needed; the file may be cut: fetch "
                                "it again",
                                reports::counted(std::ssize(fields), "field")));
    const bool no = fields[0] == "0" || fields[0] == "0.0", yes = fields[0] == "1" || fields[0] == "1.0";
    if (!no && !yes) refuse(place, fmt::format("label {} where 0 or 1 is needed; fix it", cited(fields[0])));
    if (fields[3].empty() || fields[4].empty()) refuse(place, "a text is empty; fetch the file again");
    pairs.labels.push_back(yes ? 1 : 0);
    pairs.first.emplace_back(fields[3]);
    pairs.second.emplace_back(fields[4]);
  }
  if (pairs.count() == 0) refuse(name, "holds no pair; fetch it again");
  return pairs;
}

}  // namespace attest::data
