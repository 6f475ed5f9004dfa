import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { expect, test } from "vitest";
import { yamlText } from "./yaml-text.ts";

/** What sigs.k8s.io/yaml writes. */
// biome-ignore format: a table
const WRITTEN: { value: unknown; text: string }[] = [
  { value: "plain", text: "k: plain\n" },
  { value: "", text: "k: \"\"\n" },
  { value: "-x", text: "k: -x\n" },
  { value: "- x", text: "k: '- x'\n" },
  { value: "?x", text: "k: ?x\n" },
  { value: ":x", text: "k: :x\n" },
  { value: "a:b", text: "k: a:b\n" },
  { value: "a: b", text: "k: 'a: b'\n" },
  { value: "a:", text: "k: 'a:'\n" },
  { value: "a#b", text: "k: a#b\n" },
  { value: "a #b", text: "k: 'a #b'\n" },
  { value: "#a", text: "k: '#a'\n" },
  { value: "'a", text: "k: '''a'\n" },
  { value: "\"a", text: "k: '\"a'\n" },
  { value: "@a", text: "k: '@a'\n" },
  { value: "true", text: "k: \"true\"\n" },
  { value: "No", text: "k: \"No\"\n" },
  { value: "~", text: "k: \"~\"\n" },
  { value: "12", text: "k: \"12\"\n" },
  { value: "08", text: "k: \"08\"\n" },
  { value: "0x1f", text: "k: \"0x1f\"\n" },
  { value: "1:30", text: "k: \"1:30\"\n" },
  { value: "2026-01-01", text: "k: \"2026-01-01\"\n" },
  { value: "<<", text: "k: <<\n" },
  { value: "=", text: "k: =\n" },
  { value: " lead", text: "k: ' lead'\n" },
  { value: "trail ", text: "k: 'trail '\n" },
  { value: "two\nlines", text: "k: |-\n  two\n  lines\n" },
  { value: "two\nlines\n", text: "k: |\n  two\n  lines\n" },
  { value: "ends\n\n", text: "k: |+\n  ends\n\n" },
  { value: "\nstarts", text: "k: |2-\n\n  starts\n" },
  { value: "  lead\nlines", text: "k: |2-\n    lead\n  lines\n" },
  { value: "tab\tinside", text: "k: \"tab\\tinside\"\n" },
  { value: "bell\u0007", text: "k: \"bell\\a\"\n" },
  { value: "\u00e9", text: "k: \u00e9\n" },
  { value: "\ud83d\ude00", text: "k: \"\\U0001F600\"\n" },
  { value: "line\u2028break", text: "k: 'line\u2028  break'\n" },
  { value: "no\u2028 \n", text: "k: \"no\\L \\n\"\n" },
  { value: "a sentence that is long enough to be folded at the first blank behind the eightieth column", text: "k: a sentence that is long enough to be folded at the first blank behind the eightieth\n  column\n" },
  { value: "it's a sentence: long enough to be folded at the first blank behind the eightieth column", text: "k: 'it''s a sentence: long enough to be folded at the first blank behind the eightieth\n  column'\n" },
  { value: "\u0007 a sentence that is long enough to be folded at the first blank  behind the eightieth column", text: "k: \"\\a a sentence that is long enough to be folded at the first blank  behind the\n  eightieth column\"\n" },
  { value: 1.5, text: "k: 1.5\n" },
  { value: 1e-06, text: "k: 1e-06\n" },
  { value: 1234567.5, text: "k: 1.2345675e+06\n" },
  { value: 1e+21, text: "k: 1e+21\n" },
  { value: {"a10": 1, "a2": 2, "B": 3, "a_": 4, "1": 5}, text: "k:\n  \"1\": 5\n  B: 3\n  a_: 4\n  a2: 2\n  a10: 1\n" },
  { value: ["x", ["y"], [], {}], text: "k:\n- x\n- - \"y\"\n- []\n- {}\n" },
];

test.each(WRITTEN)("$value is written as Go writes it", ({ value, text }) => {
  expect(yamlText(fromPlain({ k: value }))).toBe(text);
});
