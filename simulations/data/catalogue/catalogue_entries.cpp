#include <utility>

#include "simulations/data/catalogue/catalogue.hpp"

namespace attest::data {
namespace {

std::vector<DataPart> mnist_parts() {
  return {{"test", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"},
          {"train", "train-images-idx3-ubyte", "train-labels-idx1-ubyte"}};
}

/// A problem of the UEA archive, or of the regression archive (`archive` is the folder that it may be kept in).
DataSet series(const std::string& name, std::string title, const std::string& archive, std::string source) {
  return {name,
          std::move(title),
          DataFormat::series,
          {name, archive + "/" + name},
          {{"test", name + "_TEST.ts", ""}, {"train", name + "_TRAIN.ts", ""}},
          "",
          std::move(source),
          {}};
}

DataSet uea(const std::string& name, std::string title) {
  return series(name, "time series: " + std::move(title), "uea", "UEA archive, Bagnall et al. 2018");
}

std::vector<DataSet> build() {
  const std::string arena = "Long Range Arena, Tay et al. 2021";
  return {
      {"fashion-mnist",
       "70,000 grey images of clothes, 28 x 28 pixels, ten classes",
       DataFormat::idx_images,
       {"fashion-mnist"},
       mnist_parts(),
       "dataset-fashion-mnist",
       "Xiao, Rasul and Vollgraf 2017",
       {"T-shirt/top", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"}},
      {"bible-kjv",
       "the King James Bible, 31,102 verses of English",
       DataFormat::bible_program,
       {},
       {},
       "bible-kjv bible-kjv-text",
       "the Authorized Version of 1611"},
      {"listops-generated",
       "nested operations on digits, ten classes, drawn by the Long Range Arena's grammar",
       DataFormat::generated_listops,
       {},
       {},
       "",
       "Nangia and Bowman 2018; " + arena},
      {"pathfinder-generated",
       "grey images of two discs and dashed paths, 32 x 32 pixels, two classes, drawn with the Long Range Arena's "
       "settings",
       DataFormat::generated_pathfinder,
       {},
       {},
       "",
       "Linsley et al. 2018; " + arena},
      {"cylinder-bell-funnel-generated",
       "time series of one value and 128 steps, three classes of shapes in noise",
       DataFormat::generated_series,
       {},
       {},
       "",
       "Saito 1994"},
      {"scenes-generated",
       "grey scenes of clothes on textures, a class for each pixel, eleven classes, drawn from fashion-mnist",
       DataFormat::generated_scenes,
       {},
       {},
       "dataset-fashion-mnist",
       "Xiao, Rasul and Vollgraf 2017"},
      {"testaments-generated",
       "passages of the Bible, two classes: in which Testament each stands",
       DataFormat::generated_passages,
       {},
       {},
       "bible-kjv bible-kjv-text",
       "the Authorized Version of 1611"},
      {"book-pairs-generated",
       "pairs of passages of the Bible, two classes: whether both stand in one book",
       DataFormat::generated_pairs,
       {},
       {},
       "bible-kjv bible-kjv-text",
       "the Authorized Version of 1611"},
      {"ade20k",
       "22,210 colour images of places, a class for each pixel, 150 classes",
       DataFormat::masked_folder,
       {"ade20k", "ade20k/ADEChallengeData2016", "ADEChallengeData2016"},
       {{"valid", "images/validation", ""}, {"train", "images/training", ""}},
       "",
       "scene parsing benchmark, Zhou et al. 2019"},
      {"aan",
       "pairs of 8,000-byte papers, two classes: whether one cites the other",
       DataFormat::paper_pairs,
       {"aan", "lra_release/tsv_data", "tsv_data"},
       {{"valid", "new_aan_pairs.eval.tsv", ""},
        {"test", "new_aan_pairs.test.tsv", ""},
        {"train", "new_aan_pairs.train.tsv", ""}},
       "",
       arena + ", Radev et al. 2013"},
      {"mnist",
       "70,000 grey images of handwritten digits, 28 x 28 pixels, ten classes",
       DataFormat::idx_images,
       {"mnist"},
       mnist_parts(),
       "",
       "LeCun, Cortes and Burges 1998"},
      {"cifar10",
       "60,000 colour images, 32 x 32 pixels, ten classes",
       DataFormat::cifar10,
       {"cifar10", "cifar10/cifar-10-batches-bin", "cifar-10-batches-bin"},
       {{"test", "test_batch.bin", ""},
        {"train", "data_batch_1.bin", ""},
        {"train", "data_batch_2.bin", ""},
        {"train", "data_batch_3.bin", ""},
        {"train", "data_batch_4.bin", ""},
        {"train", "data_batch_5.bin", ""}},
       "",
       "Krizhevsky 2009"},
      {"cifar10-subset",
       "the first 4000 training and 1000 test images of CIFAR-10",
       DataFormat::cifar10,
       {"cifar10_subset"},
       {{"test", "test_batch_first1000.bin", ""}, {"train", "data_batch_1_first4000.bin", ""}},
       "",
       "Krizhevsky 2009"},
      {"pathfinder32",
       "grey images of two discs and dashed paths, 32 x 32 pixels, two classes",
       DataFormat::idx_images,
       {"pathfinder32", "pathfinder32_sample"},
       {{"images", "images-idx3-ubyte", "labels-idx1-ubyte"}},
       "",
       arena,
       {"0", "1"}},
      {"listops",
       "nested operations on digits, 500 to 2000 tokens, ten classes",
       DataFormat::listops,
       {"listops", "listops-1000"},
       {{"test", "basic_test.tsv", ""}, {"valid", "basic_val.tsv", ""}, {"train", "basic_train.tsv", ""}},
       "",
       arena},
      {"listops-sample",
       "nested operations on digits: 1000 expressions of the Long Range Arena's generator",
       DataFormat::listops,
       {"listops"},
       {{"test", "lra_basic_test.tsv", ""}, {"valid", "lra_basic_val.tsv", ""}, {"train", "lra_basic_train.tsv", ""}},
       "",
       arena},
      {"listops-original",
       "nested operations on digits: the original test set of 10,000",
       DataFormat::listops,
       {"listops"},
       {{"test", "listops_original_test_d20s.tsv", ""}},
       "",
       "Nangia and Bowman 2018"},
      {"sst2",
       "68,221 phrases and 1,821 sentences of film reviews, two classes",
       DataFormat::sst2,
       {"sst2", "sst2/SST-2", "SST-2"},
       {{"valid", "dev.tsv", ""}, {"test", "test.tsv", ""}, {"train", "train.tsv", ""}},
       "",
       "Socher et al. 2013, GLUE"},
      {"imdb",
       "50,000 film reviews, two classes",
       DataFormat::imdb_folder,
       {"imdb", "imdb/aclImdb", "aclImdb"},
       {{"test", "test", ""}, {"train", "train", ""}},
       "",
       "Maas et al. 2011"},
      {"imdb-sample",
       "1000 film reviews, two classes",
       DataFormat::imdb_csv,
       {"imdb_sample"},
       {{"train", "texts.csv", ""}},
       "",
       "Maas et al. 2011"},
      {"tinyshakespeare",
       "40,000 lines of Shakespeare's plays",
       DataFormat::text,
       {"tinyshakespeare"},
       {{"text", "input.txt", ""}},
       "",
       "char-rnn, Karpathy 2015"},
      {"wikitext-2",
       "Wikipedia articles, word tokens",
       DataFormat::text,
       {"wikitext-2", "wikitext-2/wikitext-2"},
       {{"valid", "valid.txt", ""},
        {"valid", "wiki.valid.tokens", ""},
        {"test", "test.txt", ""},
        {"test", "wiki.test.tokens", ""},
        {"train", "train.txt", ""},
        {"train", "wiki.train.tokens", ""}},
       "",
       "Merity et al. 2017"},
      {"wikitext-103",
       "Wikipedia articles, word tokens",
       DataFormat::text,
       {"wikitext-103", "wikitext-103/wikitext-103", "wikitext-103_sample"},
       {{"valid", "wiki.valid.tokens", ""}, {"test", "wiki.test.tokens", ""}, {"train", "wiki.train.tokens", ""}},
       "",
       "Merity et al. 2017"},
      uea("ArticularyWordRecognition", "25 words by the movement of tongue and lips"),
      uea("AtrialFibrillation", "electrocardiograms, three classes"),
      uea("BasicMotions", "four activities by a watch"),
      uea("Epilepsy", "four activities by a wristband"),
      uea("ERing", "six gestures by a finger ring"),
      uea("Handwriting", "26 letters by a watch"),
      uea("JapaneseVowels", "nine speakers, unequal lengths"),
      uea("Libras", "15 movements of a hand"),
      uea("LSST", "14 kinds of stars by their brightness"),
      uea("NATOPS", "six signals to aircraft"),
      uea("PenDigits", "ten digits by the pen's path"),
      uea("SelfRegulationSCP1", "electroencephalograms, two classes"),
      uea("UWaveGestureLibrary", "eight gestures by acceleration"),
      series("Tecator", "time series: fat of meat by its infrared spectrum, regression", "tser",
             "time series regression archive, Tan et al. 2021"),
  };
}

}  // namespace

std::span<const DataSet> catalogue() {
  static const std::vector<DataSet> entries = build();
  return entries;
}

std::string_view format_name(DataFormat format) {
  switch (format) {
    case DataFormat::idx_images:
      return "IDX images";
    case DataFormat::text:
      return "UTF-8 text";
    case DataFormat::bible_program:
      return "text printed by the program bible";
    case DataFormat::cifar10:
      return "CIFAR-10 binary images";
    case DataFormat::series:
      return ".ts time series";
    case DataFormat::series_csv:
      return "time series (.csv)";
    case DataFormat::sst2:
      return "SST-2 sentences (.tsv)";
    case DataFormat::imdb_csv:
      return "IMDb reviews (.csv)";
    case DataFormat::imdb_folder:
      return "IMDb reviews (neg and pos)";
    case DataFormat::listops:
      return "ListOps expressions (.tsv)";
    case DataFormat::image_folder:
      return "PNG and JPEG images, one folder a class";
    case DataFormat::pathfinder_folder:
      return "PNG images with a table (Long Range Arena)";
    case DataFormat::masked_folder:
      return "images with PNG masks";
    case DataFormat::paper_pairs:
      return "pairs of papers (.tsv, Long Range Arena)";
    case DataFormat::generated_listops:
    case DataFormat::generated_pathfinder:
    case DataFormat::generated_series:
    case DataFormat::generated_scenes:
    case DataFormat::generated_passages:
    case DataFormat::generated_pairs:
      return "generated";
  }
  return "";
}

}  // namespace attest::data
