/**
 * The strings that formats allow.
 *
 * Formats that are regular languages are listed as patterns, exactly as the server checks them. For the others, a few
 * valid and invalid strings are listed. Names have no dashes.
 */
import { type Automaton, compileAutomaton } from "@portcullis/gostd/regexp/automaton";

const HEX = "[0-9a-fA-F]";
const LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const RGB_PART = "(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])";
const BLANK = "[\\t\\n\\f\\r ]*";

/** The language of the format without its length limits, which are listed separately. */
interface RegularFormat {
  readonly pattern: string;
  readonly maxLength?: number;
}

// biome-ignore format: a table
const REGULAR: Readonly<Record<string, RegularFormat>> = {
  bsonobjectid: { pattern: `^${HEX}{24}$` },
  uuid:         { pattern: `^${HEX}{8}-?${HEX}{4}-?${HEX}{4}-?${HEX}{4}-?${HEX}{12}$` },
  uuid3:        { pattern: `^${HEX}{8}-?${HEX}{4}-?3${HEX}{3}-?${HEX}{4}-?${HEX}{12}$` },
  uuid4:        { pattern: `^${HEX}{8}-?${HEX}{4}-?4${HEX}{3}-?[89abAB]${HEX}{3}-?${HEX}{12}$` },
  uuid5:        { pattern: `^${HEX}{8}-?${HEX}{4}-?5${HEX}{3}-?[89abAB]${HEX}{3}-?${HEX}{12}$` },
  hexcolor:     { pattern: `^#?(${HEX}{3}|${HEX}{6})$` },
  rgbcolor:     { pattern: `^rgb\\(${BLANK}${RGB_PART}${BLANK},${BLANK}${RGB_PART}${BLANK},${BLANK}${RGB_PART}${BLANK}\\)$` },
  byte:         { pattern: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$" },
  password:     { pattern: "" },
  k8sshortname: { pattern: `^${LABEL}$`, maxLength: 63 },
  k8slongname:  { pattern: `^${LABEL}(\\.${LABEL})*$`, maxLength: 253 },
  k8slabelvalue: { pattern: `^(${LABEL_NAME})?$`, maxLength: 63 },
};

export function regularFormat(format: string): RegularFormat | undefined {
  return Object.hasOwn(REGULAR, format) ? REGULAR[format] : undefined;
}

/**
 * Regular languages around a format that is not one: strings that are certainly valid, and strings that may be valid.
 */
export interface FormatBounds {
  readonly certainly?: string;
  readonly possibly?: string;
}

const OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
const DAY = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])";
const CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]";

// biome-ignore format: a table
const BOUNDS: Readonly<Record<string, FormatBounds>> = {
  date:     { certainly: `^${DAY}$`, possibly: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$" },
  datetime: { certainly: `^${DAY}T${CLOCK}Z$` },
  duration: { certainly: "^[1-9][0-9]{0,4}(ns|us|ms|s|m|h)$" },
  ipv4:     { certainly: `^${OCTET}(\\.${OCTET}){3}$`, possibly: "^[0-9a-fA-F.:]+$" },
  ipv6:     { certainly: "^[1-9a-f][0-9a-f]{0,3}(:[1-9a-f][0-9a-f]{0,3}){7}$", possibly: "^[0-9a-fA-F.:]+$" },
  cidr:     { certainly: `^${OCTET}(\\.${OCTET}){3}/([12]?[0-9]|3[0-2])$`, possibly: "/" },
  mac:      { certainly: "^[0-9a-f]{2}(:[0-9a-f]{2}){5}$", possibly: "^[0-9a-fA-F.:-]+$" },
  email:    { certainly: "^[a-z][a-z0-9]{0,30}@[a-z][a-z0-9]{0,30}(\\.[a-z]{2,20}){1,3}$", possibly: "@" },
  hostname: { certainly: "^[a-z][a-z0-9]{0,20}(\\.[a-z][a-z0-9]{1,20}){0,3}$", possibly: "^(?s:.+)$" },
  k8slabelkey: { certainly: "^([a-z][a-z0-9]{0,20}(\\.[a-z][a-z0-9]{0,20}){0,3}/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,30}[A-Za-z0-9])?$", possibly: `^(${LABEL}(\\.${LABEL})*/)?${LABEL_NAME}$` },
  uri:      { certainly: "^https?://[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)*(/[A-Za-z0-9._~-]*)*$", possibly: "^(?s:.+)$" },
};

export function formatBounds(format: string): FormatBounds {
  return Object.hasOwn(BOUNDS, format) ? (BOUNDS[format] ?? {}) : {};
}

/** Undefined if the format is not a known regular language. */
export function formatAutomaton(format: string): Automaton | undefined {
  const regular = regularFormat(format);
  return regular && compileAutomaton(regular.pattern);
}

// biome-ignore format: a table
const SAMPLES: Readonly<Record<string, readonly string[]>> = {
  uri:        ["/a", "http://a", "https://example.com/path"],
  email:      ["a@b", "user@example.com"],
  hostname:   ["a", "example.com"],
  ipv4:       ["1.2.3.4", "10.0.0.1"],
  ipv6:       ["::1", "2001:db8::1"],
  cidr:       ["10.0.0.0/8", "::/0", "192.168.1.0/24"],
  mac:        ["01:23:45:67:89:ab", "01-23-45-67-89-ab"],
  isbn:       ["0321751043", "9780321751041"],
  isbn10:     ["0321751043"],
  isbn13:     ["9780321751041"],
  creditcard: ["4012888888881881"],
  ssn:        ["111-11-1111"],
  date:       ["2020-01-01", "2024-02-29"],
  duration:   ["5m", "1h", "60m", "3s", "1 day", "22 ns", "-1s", "0s", "2562047h"],
  k8slabelkey: ["a", "example.com/a", "A_b.c"],
  datetime:   ["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+01:00"],
};

export function formatSamples(format: string): readonly string[] {
  return Object.hasOwn(SAMPLES, format) ? (SAMPLES[format] ?? []) : [];
}

/** Samples of every known format, and some strings of no format: one of them shows that a format is new. */
export function assortedTexts(): readonly string[] {
  return ["", "a", "a b", "A_", "-", "1", "a.b", "é", ...Object.values(SAMPLES).flat(), "#fff", "aGk=", "1.2.3.4/33"];
}
