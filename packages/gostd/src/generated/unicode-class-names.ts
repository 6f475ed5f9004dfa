/**
 * The Unicode classes Go's regexp knows as \p{name}. Generated; do not edit.
 *
 * Provenance: Go 1.26.8, Unicode 15.0.0. The generator is a Go program that offers every name of unicode.Categories and
 * unicode.Scripts to regexp.Compile and keeps those it takes, and lists unicode.CategoryAliases. All are in Go's
 * canonical spelling: first letter upper case, the others lower case, no blanks, hyphens or underscores.
 */
export const classNames: string =
  "Adlam Ahom Arabic Armenian Avestan Balinese Bamum Batak Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese " +
  "Buhid C Carian Cc Cf Chakma Cham Cherokee Chorasmian Cn Co Common Coptic Cs Cuneiform Cypriot Cyrillic " +
  "Deseret Devanagari Dogra Duployan Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati " +
  "Gurmukhi Han Hangul Hanunoo Hatran Hebrew Hiragana Inherited Javanese Kaithi Kannada Katakana Kawi Kharoshthi " +
  "Khmer Khojki Khudawadi L Lao Latin Lepcha Limbu Lisu Ll Lm Lo Lt Lu Lycian Lydian M Mahajani Makasar " +
  "Malayalam Mandaic Manichaean Marchen Mc Me Medefaidrin Miao Mn Modi Mongolian Mro Multani Myanmar N Nabataean " +
  "Nandinagari Nd Newa Nko Nl No Nushu Ogham Oriya Osage Osmanya P Palmyrene Pc Pd Pe Pf Phoenician Pi Po Ps " +
  "Rejang Runic S Samaritan Saurashtra Sc Sharada Shavian Siddham Sinhala Sk Sm So Sogdian Soyombo Sundanese " +
  "Syriac Tagalog Tagbanwa Takri Tamil Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic " +
  "Vai Vithkuqi Wancho Yezidi Yi Z Zl Zp Zs";

/** Pairs of an alias and the category it means. */
export const classAliases: string =
  "Casedletter=LC Closepunctuation=Pe Cntrl=Cc Combiningmark=M Connectorpunctuation=Pc Control=Cc " +
  "Currencysymbol=Sc Dashpunctuation=Pd Decimalnumber=Nd Digit=Nd Enclosingmark=Me Finalpunctuation=Pf Format=Cf " +
  "Initialpunctuation=Pi Letter=L Letternumber=Nl Lineseparator=Zl Lowercaseletter=Ll Mark=M Mathsymbol=Sm " +
  "Modifierletter=Lm Modifiersymbol=Sk Nonspacingmark=Mn Number=N Openpunctuation=Ps Other=C Otherletter=Lo " +
  "Othernumber=No Otherpunctuation=Po Othersymbol=So Paragraphseparator=Zp Privateuse=Co Punct=P Punctuation=P " +
  "Separator=Z Spaceseparator=Zs Spacingmark=Mc Surrogate=Cs Symbol=S Titlecaseletter=Lt Unassigned=Cn " +
  "Uppercaseletter=Lu";
