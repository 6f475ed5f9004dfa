/** Repositories in small, written after the layouts of real ones, with the findings that a careful reviewer expects. */
import { readdirSync, readFileSync } from "node:fs";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { describe, expect, test } from "vitest";
import { check } from "../check.ts";
import { runCommand } from "../commands.testing.ts";

interface Layout {
  readonly args?: readonly string[];
  /** `severity file:line rule`, and the count of a finding about several objects. */
  readonly findings: readonly string[];
  /** `reason path files`. */
  readonly skipped: readonly string[];
  readonly objects: number;
  /** Documents that have nothing to do with Kubernetes. */
  readonly others: number;
  readonly files: Readonly<Record<string, string>>;
}

interface ShownReport {
  readonly findings: readonly {
    readonly severity: string;
    readonly file: string;
    readonly range?: { readonly start: { readonly line: number } };
    readonly rule: string;
    readonly count?: number;
  }[];
  readonly skipped?: readonly { readonly reason: string; readonly path: string; readonly files: number }[];
  readonly summary: { readonly objects: number; readonly passedOver: number };
}

const FOLDER = new URL("./layouts/", import.meta.url);
const NAMES = readdirSync(FOLDER);

describe("layouts of repositories", () => {
  test("there are at least twenty", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(20);
  });

  test.each(NAMES)("%s", async (name) => {
    const layout = readLayout(name);
    const args = [...(layout.args ?? ["@/"]), "-o", "json"];
    const { stdout } = await runCommand(check, args, layout.files);
    const report: ShownReport = JSON.parse(stdout);
    expect({
      findings: report.findings.map(shortFinding).sort(),
      skipped: (report.skipped ?? []).map(({ reason, path, files }) => `${reason} ${path} ${files}`).sort(),
      objects: report.summary.objects,
      others: report.summary.passedOver,
    }).toEqual({
      findings: layout.findings,
      skipped: [...layout.skipped].sort(),
      objects: layout.objects,
      others: layout.others,
    });
  });
});

function readLayout(name: string): Layout {
  const decoded = decodeYaml(readFileSync(new URL(name, FOLDER), "utf8"));
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return JSON.parse(JSON.stringify(decoded.value));
}

function shortFinding({ severity, file, range, rule, count }: ShownReport["findings"][number]): string {
  return `${severity} ${file}:${range?.start.line ?? ""} ${rule}${count === undefined ? "" : ` ${count}`}`;
}
