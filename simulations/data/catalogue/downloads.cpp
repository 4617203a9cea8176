#include "simulations/data/catalogue/downloads.hpp"

#include <fmt/core.h>

#include "simulations/data/catalogue/catalogue.hpp"

namespace attest::data {
namespace {

const char* const published = "TensorFlow Datasets' list of checksums";

std::vector<Download> mnist() {
  const std::string base = "https://storage.googleapis.com/cvdf-datasets/mnist/";
  const auto file = [&](const std::string& name, const char* sha256) {
    return Download{base + name, name, sha256, published};
  };
  return {file("t10k-images-idx3-ubyte.gz", "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
          file("t10k-labels-idx1-ubyte.gz", "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
          file("train-images-idx3-ubyte.gz", "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
          file("train-labels-idx1-ubyte.gz", "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c")};
}

std::vector<Download> fashion_mnist() {
  const std::string base = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/";
  const auto file = [&](const std::string& name, const char* sha256) {
    return Download{base + name, name, sha256, published};
  };
  return {file("t10k-images-idx3-ubyte.gz", "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"),
          file("t10k-labels-idx1-ubyte.gz", "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"),
          file("train-images-idx3-ubyte.gz", "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"),
          file("train-labels-idx1-ubyte.gz", "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845")};
}

}  // namespace

std::vector<Download> downloads_of(std::string_view data_set) {
  const std::string wikitext = "https://s3.amazonaws.com/research.metamind.io/wikitext/";
  if (data_set == "mnist") return mnist();
  if (data_set == "fashion-mnist") return fashion_mnist();
  if (data_set == "cifar10")
    return {{"https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz", "cifar-10-binary.tar.gz",
             "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd", published}};
  if (data_set == "imdb")
    return {{"https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz", "aclImdb_v1.tar.gz",
             "c40f74a18d3b61f90feba1e17730e0d38e8b97c05fde7008942e91923d1658fe", published}};
  if (data_set == "tinyshakespeare")
    return {{"https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt", "input.txt",
             "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed", "measured on the repository's file"}};
  if (data_set == "wikitext-2") return {{wikitext + "wikitext-2-v1.zip", "wikitext-2-v1.zip", "", ""}};
  if (data_set == "wikitext-103") return {{wikitext + "wikitext-103-v1.zip", "wikitext-103-v1.zip", "", ""}};
  if (data_set == "sst2") return {{"https://dl.fbaipublicfiles.com/glue/data/SST-2.zip", "SST-2.zip", "", ""}};
  const DataSet* entry = find_data_set(data_set);
  if (entry != nullptr && entry->format == DataFormat::series && entry->source.starts_with("UEA")) {
    const std::string archive = entry->name + ".zip";
    return {{"https://www.timeseriesclassification.com/aeon-toolkit/" + archive, archive, "", ""}};
  }
  return {};
}

std::string unpacking(const Download& download, const std::string& folder) {
  if (download.file.ends_with(".tar.gz")) return fmt::format("tar -xzf {0}/{1} -C {0}", folder, download.file);
  if (download.file.ends_with(".zip")) return fmt::format("unzip -q {0}/{1} -d {0}", folder, download.file);
  return "";
}

}  // namespace attest::data
