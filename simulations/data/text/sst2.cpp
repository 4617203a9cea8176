#include <fmt/core.h>

#include "reports/text/numbers.hpp"
#include "simulations/data/files/lines.hpp"
#include "simulations/data/text/labelled_texts.hpp"
#include "simulations/data/text/text.hpp"

namespace attest::data {
namespace {

// Which of the two fields is the label.
std::size_t label_field(const Line& header, const std::string& name) {
  if (header.text == "sentence\tlabel") return 1;
  if (header.text == "label\tsentence" || header.text == "label\tcontent") return 0;
  refuse(place_of(name, 1),
         fmt::format("the header is {} where SST-2 has sentence and label between a tab; name a file "
                     "of SST-2",
                     cited(header.text)));
}

}  // namespace

LabelledTexts parse_sst2(std::string_view bytes, const std::string& name) {
  check_text(bytes, name);
  LineReader reader(bytes);
  Line line;
  reader.next(line);
  const std::size_t label = label_field(line, name);
  LabelledTexts texts;
  texts.classes.names = {"negative", "positive"};
  while (reader.next(line)) {
    const std::string place = place_of(name, line.number);
    const std::vector<std::string_view> fields = split(line.text, '\t');
    if (fields.size() != 2) {
      refuse(place, fmt::format("{} where a label and a sentence are needed; the file may be cut: fetch it again",
                                reports::counted(std::ssize(fields), "field")));
    }
    if (fields[label] != "0" && fields[label] != "1")
      refuse(place, fmt::format("label {} where 0 or 1 is needed; fix it", cited(fields[label])));
    const std::string_view sentence = trimmed(fields[1 - label]);
    if (sentence.empty()) refuse(place, "the sentence is empty; the file may be cut: fetch it again");
    texts.labels.push_back(fields[label] == "1" ? 1 : 0);
    texts.texts.emplace_back(sentence);
  }
  if (texts.texts.empty()) refuse(name, "holds a header and no sentence; fetch it again");
  return texts;
}

}  // namespace attest::data
