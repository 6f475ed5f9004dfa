/** The metrics of several threads or processes of one server as one text: values of the same series are added up. */
import { HEALTHCHECK } from "./health-metrics.ts";
import { DEPRECATED_APIS, MAX_ADDRESSES, NETWORK, START_TIME } from "./process-metrics.ts";

interface Family {
  /** The lines with the help and the type. */
  readonly head: string[];
  /** By name and labels, in the order they came. */
  readonly series: Map<string, number>;
}

/** Texts as `Metrics.text` writes them. */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const text of texts) addText(text, families);
  const names = [...families.keys()].sort();
  return names.map((name) => familyText(families.get(name) as Family)).join("");
}

function addText(text: string, families: Map<string, Family>): void {
  let family: Family | undefined;
  let isFirst = true;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    if (!line.startsWith("# ")) {
      const at = line.lastIndexOf(" ");
      const key = line.slice(0, at);
      const [known, value] = [family?.series.get(key), Number(line.slice(at + 1))];
      family?.series.set(key, known === undefined ? value : combine(key, known, value));
      continue;
    }
    const name = line.split(" ")[2] ?? "";
    isFirst = line.startsWith("# HELP ") ? !families.has(name) : isFirst;
    family = families.get(name) ?? { head: [], series: new Map() };
    families.set(name, family);
    if (isFirst) family.head.push(line);
  }
}

function combine(key: string, known: number, value: number): number {
  if (key.startsWith(`${HEALTHCHECK}{`)) return Math.min(known, value);
  return NOT_ADDED.some((start) => key.startsWith(start)) ? Math.max(known, value) : known + value;
}

const NOT_ADDED = [START_TIME, DEPRECATED_APIS, MAX_ADDRESSES, NETWORK];

function familyText({ head, series }: Family): string {
  return `${[...head, ...[...series].map(([key, value]) => `${key} ${value}`)].join("\n")}\n`;
}
