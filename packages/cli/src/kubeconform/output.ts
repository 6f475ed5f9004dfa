/** kubeconform's five outputs, byte for byte; only the messages inside are the API server's. */
import { countResults, type Result } from "./result.ts";

export interface OutputOptions {
  readonly summary: boolean;
  readonly verbose: boolean;
  readonly isStdin: boolean;
  /** The duration, for JUnit. */
  readonly seconds: number;
}

type Format = (results: readonly Result[], options: OutputOptions) => string;

export const FORMATS: Readonly<Record<string, Format>> = {
  json: formatJson,
  junit: formatJunit,
  pretty: formatPretty,
  tap: formatTap,
  text: formatText,
};

function formatJson(results: readonly Result[], { summary, verbose }: OutputOptions): string {
  const shown = results.filter(({ status }) => verbose || status === "invalid" || status === "error");
  const resources = shown.map(({ file, kind, name, version, status, message, validationErrors }) => ({
    filename: file,
    kind,
    name,
    version,
    status: status === "empty" ? "" : `status${status.charAt(0).toUpperCase()}${status.slice(1)}`,
    msg: message,
    ...(validationErrors.length === 0 ? {} : { validationErrors }),
  }));
  const body = summary ? { resources, summary: countResults(results) } : { resources };
  return `${goJson(body)}\n`;
}

/** As Go writes it: characters with a meaning in HTML are escaped. */
function goJson(data: unknown): string {
  return JSON.stringify(data, undefined, 2).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function formatText(results: readonly Result[], options: OutputOptions): string {
  const lines = results.flatMap(({ file, kind, name, status, message }) => {
    if (status === "valid") return options.verbose ? [`${file} - ${kind} ${name} is valid`] : [];
    if (status === "invalid") return [`${file} - ${kind} ${name} is invalid: ${message}`];
    if (status === "skipped") return options.verbose ? [`${file} - ${name} ${kind} skipped`] : [];
    if (status === "empty") return [];
    const subject = kind !== "" && name !== "" ? `${kind} ${name} ` : "";
    return [`${file} - ${subject}failed validation: ${message}`];
  });
  return endLines([...lines, ...summaryLines(results, options)]);
}

const RED = "\x1b[31m";
const GREEN = "\x1b[32m";
const YELLOW = "\x1b[33m";
const RESET = "\x1b[0m";

function formatPretty(results: readonly Result[], options: OutputOptions): string {
  const lines = results.flatMap(({ file, kind, name, status, message }) => {
    if (status === "valid")
      return options.verbose ? [`${GREEN}✔${RESET} ${file}: ${GREEN}${kind} ${name} is valid${RESET}`] : [];
    if (status === "invalid") return [`${RED}✖${RESET} ${file}: ${RED}${kind} ${name} is invalid: ${message}${RESET}`];
    if (status === "skipped") {
      const subject = [kind, kind === "" ? "" : name, "skipped"].filter((part) => part !== "").join(" ");
      return options.verbose ? [`${YELLOW}-${RESET} ${file}: ${YELLOW}${subject}${RESET}`] : [];
    }
    if (status === "empty") return [];
    const subject = kind !== "" && name !== "" ? `${kind} failed validation: ${name}` : `failed validation: ${name}`;
    return [`${RED}✖${RESET} ${file}: ${RED}${subject} ${message}${RESET}`];
  });
  return endLines([...lines, ...summaryLines(results, options)]);
}

function summaryLines(results: readonly Result[], { summary, isStdin }: OutputOptions): string[] {
  if (!summary) return [];
  const { valid, invalid, errors, skipped } = countResults(results);
  const total = valid + invalid + errors + skipped;
  const files = new Set(results.map(({ file }) => file)).size;
  const where = isStdin ? "parsing stdin" : `in ${files} file${files > 1 ? "s" : ""}`;
  const counts = `Valid: ${valid}, Invalid: ${invalid}, Errors: ${errors}, Skipped: ${skipped}`;
  return [`Summary: ${total} resource${total > 1 ? "s" : ""} found ${where} - ${counts}`];
}

function formatTap(results: readonly Result[]): string {
  const lines = results.map((result, index) => {
    const { file, status, message } = result;
    const qualified = `(${result.version}/${result.kind}/${result.namespace}/${result.name})`;
    if (status === "valid") return `ok ${index + 1} - ${file} ${qualified}`;
    if (status === "invalid") return `not ok ${index + 1} - ${file} ${qualified}: ${message}`;
    if (status === "empty") return `ok ${index + 1} - ${file} (empty)`;
    if (status === "error") return `not ok ${index + 1} - ${file}: ${message}`;
    return `ok ${index + 1} - ${file} ${qualified} # skip`;
  });
  return endLines([...(lines.length === 0 ? [] : ["TAP version 13"]), ...lines, `1..${lines.length}`]);
}

function formatJunit(results: readonly Result[], { seconds }: OutputOptions): string {
  const { valid, invalid, errors, skipped } = countResults(results);
  const suites = [...new Set(results.map(({ file }) => file))];
  const head = `<testsuites name="kubeconform" time="${seconds}" tests="${valid + invalid + errors + skipped}" failures="${invalid}" disabled="${skipped}" errors="${errors}">`;
  if (suites.length === 0) return `${head}</testsuites>\n`;
  const lines = suites.flatMap((file, index) =>
    suiteLines(
      file,
      index + 1,
      results.filter((each) => each.file === file && each.status !== "empty"),
    ),
  );
  return endLines([head, ...lines, "</testsuites>"]);
}

function suiteLines(file: string, id: number, results: readonly Result[]): string[] {
  const { invalid, errors, skipped } = countResults(results);
  const head = `  <testsuite name="${xml(file)}" id="${id}" tests="${results.length}" failures="${invalid}" errors="${errors}" disabled="0" skipped="${skipped}">`;
  if (results.length === 0) return [`${head}</testsuite>`];
  return [head, ...results.flatMap(caseLines), "  </testsuite>"];
}

function caseLines({ kind, version, namespace, name, status, message }: Result): string[] {
  const object = namespace === "" ? name : `${namespace}/${name}`;
  const head = `    <testcase name="${xml(object)}" classname="${xml(`${kind}@${version}`)}" time="0">`;
  const inner = {
    valid: [],
    empty: [],
    skipped: [`      <skipped message=""></skipped>`],
    error: [`      <error message="${xml(message)}" type=""></error>`],
    invalid: [`      <failure message="${xml(message)}" type=""></failure>`],
  }[status];
  return inner.length === 0 ? [`${head}</testcase>`] : [head, ...inner, "    </testcase>"];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '"': "&#34;",
  "'": "&#39;",
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\t": "&#x9;",
  "\n": "&#xA;",
  "\r": "&#xD;",
};

/** Escaped as by Go's encoding/xml; characters that XML cannot represent become the replacement character. */
function xml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll(/["'&<>\t\n\r]/g, (char) => ENTITIES[char] ?? char);
}

function endLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
