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

  /** A gauge whose values are asked for when they are read. */
  computed(name: string, help: string, values: () => readonly (readonly [Labels, number])[]): void {
    const lines = (): string[] => values().map(([labels, value]) => `${name}${braces(labelText(labels))} ${value}`);
    this.#add({ name, help, type: "gauge", lines: () => lines().sort() });
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

/** A number for each set of labels: of what has happened, or of what is. */
export class Counter implements Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge";
  readonly #values = new Map<string, number>();

  constructor(name: string, help: string, type: "counter" | "gauge") {
    this.name = name;
    this.help = help;
    this.type = type;
  }

  add(labels: Labels, amount = 1): void {
    const key = labelText(labels);
    this.#values.set(key, (this.#values.get(key) ?? 0) + amount);
  }

  lines(): string[] {
    return [...this.#values].sort(byKey).map(([key, value]) => `${this.name}${braces(key)} ${value}`);
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
  readonly #values = new Map<string, Distribution>();

  /** Bounds are upper ones, smallest first. */
  constructor(name: string, help: string, bounds: readonly number[]) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = labelText(labels);
    let found = this.#values.get(key);
    if (found === undefined) {
      found = { counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
      this.#values.set(key, found);
    }
    const bucket = this.#bounds.findIndex((bound) => value <= bound);
    if (bucket !== -1) found.counts[bucket] = (found.counts[bucket] ?? 0) + 1;
    found.sum += value;
    found.count++;
  }

  lines(): string[] {
    return [...this.#values].sort(byKey).flatMap(([key, { counts, sum, count }]) => {
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

function byKey([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** Go writes small exponents with two digits, and uses them sooner. */
function goFloat(value: number): string {
  if (value >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, "e-0$1");
}
