/** Counters, gauges and histograms, and the text in which Prometheus reads them. */

export type Labels = Readonly<Record<string, string>>;

interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  /** One line a value, without the line break. */
  lines(): string[];
}

/** All metrics of one server. */
export class Metrics {
  readonly #families: Family[] = [];

  counter(name: string, help: string): Counter {
    return this.#add(new Counter(name, help, "counter"));
  }

  gauge(name: string, help: string): Counter {
    return this.#add(new Counter(name, help, "gauge"));
  }

  histogram(name: string, help: string, bounds: readonly number[]): Histogram {
    return this.#add(new Histogram(name, help, bounds));
  }

  /** Values that are kept elsewhere and read on request. */
  computed({ name, help, type }: Omit<Family, "lines">, values: () => readonly (readonly [Labels, number])[]): void {
    const lines = (): string[] => values().map(([labels, value]) => `${name}${braces(labelText(labels))} ${value}`);
    this.#add({ name, help, type, lines: () => lines().sort() });
  }

  /** Families by name; those without a value are left out, as Prometheus' own library does. */
  text(): string {
    const sorted = [...this.#families].sort((a, b) => (a.name < b.name ? -1 : 1));
    return sorted
      .map((family) => ({ family, lines: family.lines() }))
      .filter(({ lines }) => lines.length > 0)
      .map(({ family: { name, help, type }, lines }) => {
        return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`;
      })
      .join("");
  }

  #add<T extends Family>(family: T): T {
    this.#families.push(family);
    return family;
  }
}

/** One value of a label after another leads to the value of a series, so that finding it makes no text. */
interface Branch<T> {
  readonly next: Map<string, Branch<T>>;
  /** The names of the labels that led here, and what is there; undefined on the way. */
  found: { readonly names: readonly string[]; readonly value: T } | undefined;
}

/**
 * A value for each set of labels. Labels come in the same order from the same place, so the text that sorts and escapes
 * them is made once for each set, not for each call.
 */
class Series<T> {
  readonly #make: () => T;
  readonly #root: Branch<T> = newBranch();
  readonly #byText = new Map<string, T>();

  constructor(make: () => T) {
    this.#make = make;
  }

  at(labels: Labels): T {
    let branch = this.#root;
    for (const name in labels) branch = follow(branch, labels[name] ?? "");
    const { found } = branch;
    if (found !== undefined && hasNames(labels, found.names)) return found.value;
    const text = labelText(labels);
    const value = this.#byText.get(text) ?? this.#make();
    this.#byText.set(text, value);
    branch.found = { names: Object.keys(labels), value };
    return value;
  }

  /** By the text of their labels, in order. */
  sorted(): [labels: string, value: T][] {
    return [...this.#byText].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

function newBranch<T>(): Branch<T> {
  return { next: new Map(), found: undefined };
}

function follow<T>(branch: Branch<T>, value: string): Branch<T> {
  let next = branch.next.get(value);
  if (next === undefined) {
    next = newBranch();
    branch.next.set(value, next);
  }
  return next;
}

function hasNames(labels: Labels, names: readonly string[]): boolean {
  let at = 0;
  for (const name in labels) if (name !== names[at++]) return false;
  return at === names.length;
}

/** A number for each set of labels: of what has happened, or of what is. */
export class Counter implements Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly #values = new Series(() => ({ total: 0 }));

  constructor(name: string, help: string, type: "counter" | "gauge") {
    this.name = name;
    this.help = help;
    this.type = type;
  }

  add(labels: Labels, amount = 1): void {
    this.#values.at(labels).total += amount;
  }

  lines(): string[] {
    return this.#values.sorted().map(([key, { total }]) => `${this.name}${braces(key)} ${total}`);
  }
}

interface Distribution {
  /** How many fell into each bucket, and not into a smaller one. */
  readonly counts: number[];
  sum: number;
  count: number;
}

export class Histogram implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = "histogram";
  readonly #bounds: readonly number[];
  readonly #values: Series<Distribution>;

  /** Bounds are upper ones, smallest first. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    this.#values = new Series(() => ({ counts: bounds.map(() => 0), sum: 0, count: 0 }));
  }

  /** Shows the series before there is a value. */
  begin(labels: Labels): void {
    this.#values.at(labels);
  }

  observe(labels: Labels, value: number): void {
    this.#note(this.#values.at(labels), value, 1);
  }

  /** The same for labels that are observed often. */
  observer(labels: Labels): (value: number) => void {
    const note = this.repeater(labels);
    return (value) => note(value, 1);
  }

  /** The same for values that were observed several times. */
  repeater(labels: Labels): (value: number, times: number) => void {
    const found = this.#values.at(labels);
    return (value, times) => this.#note(found, value, times);
  }

  #note(found: Distribution, value: number, times: number): void {
    const bounds = this.#bounds;
    let bucket = 0;
    while (bucket < bounds.length && !(value <= (bounds[bucket] ?? 0))) bucket++;
    if (bucket < bounds.length) found.counts[bucket] = (found.counts[bucket] ?? 0) + times;
    found.sum += value * times;
    found.count += times;
  }

  lines(): string[] {
    return this.#values.sorted().flatMap(([key, { counts, sum, count }]) => {
      let total = 0;
      const buckets = this.#bounds.map((bound, index) => {
        total += counts[index] ?? 0;
        return this.#bucketLine(key, goFloat(bound), total);
      });
      const rest = [`${this.name}_sum${braces(key)} ${sum}`, `${this.name}_count${braces(key)} ${count}`];
      return [...buckets, this.#bucketLine(key, "+Inf", count), ...rest];
    });
  }

  #bucketLine(key: string, bound: string, total: number): string {
    const labels = key === "" ? `le="${bound}"` : `${key},le="${bound}"`;
    return `${this.name}_bucket{${labels}} ${total}`;
  }
}

/** Labels by name. */
function labelText(labels: Labels): string {
  return Object.keys(labels)
    .sort()
    .map((name) => `${name}="${escapeValue(labels[name] ?? "")}"`)
    .join(",");
}

function escapeValue(value: string): string {
  return value.replace(/[\\"\n]/g, (letter) => (letter === "\n" ? "\\n" : `\\${letter}`));
}

function braces(key: string): string {
  return key === "" ? "" : `{${key}}`;
}

/** Go writes exponents with a sign and two digits, and uses them sooner. */
function goFloat(value: number): string {
  if (value === 0 || (value >= 1e-4 && value < 1e6)) return String(value);
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}
