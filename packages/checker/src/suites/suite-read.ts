/** Finds test suites among files, in any supported format. */
import { readFileSync } from "node:fs";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { readFile } from "../input/documents.ts";
import { UnsupportedError, UsageError } from "../input/usage-error.ts";
import * as messages from "../policy/messages.ts";
import { findingAt, findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { isGatorSuite, readGatorSuite } from "./formats/gator.ts";
import { isKaptest, readKaptest } from "./formats/kaptest.ts";
import { isKubescape, readKubescape, wrapKubescape } from "./formats/kubescape.ts";
import { isKyvernoTest, readKyvernoTest } from "./formats/kyverno.ts";
import { isOpenshiftSuite, readOpenshiftSuite } from "./formats/openshift.ts";
import { isOwnSuite, readOwnSuite } from "./formats/own.ts";
import type { PlacedSuite, Suite } from "./suite.ts";
import { suiteFiles } from "./suite-files.ts";

interface Dialect {
  readonly is: (json: JsonObject, file: string) => boolean;
  readonly read: (json: JsonObject, file: string) => Suite;
}

const DIALECTS: readonly Dialect[] = [
  { is: isOwnSuite, read: readOwnSuite },
  { is: isKyvernoTest, read: readKyvernoTest },
  { is: isGatorSuite, read: readGatorSuite },
  { is: isKaptest, read: readKaptest },
  { is: isOpenshiftSuite, read: readOpenshiftSuite },
  { is: isKubescape, read: readKubescape },
];

/** Whether a document is a suite in any format. `file` is where it is. */
export function isSuite(object: JsonObject, file: string): boolean {
  return DIALECTS.some(({ is }) => is(object, file));
}

/** Undefined if the document is not a suite. `file` is what paths in it are relative to. */
export function readSuite({ object }: ManifestDocument, file: string): Suite | undefined {
  return DIALECTS.find(({ is }) => is(object, file))?.read(object, file);
}

export interface ReadSuites {
  readonly suites: readonly PlacedSuite[];
  /** Files and parts of suites that cannot be read. */
  readonly problems: readonly Finding[];
}

/** A suite of ours, even if it cannot be parsed. */
const OWN = /^kind:\s*["']?(?:Test|Policy)Suite\b/m;

/** The suites of one file. A file in a folder may be anything else; one that is named must be a suite. */
export function readSuiteFile(file: string, isNamed: boolean): ReadSuites {
  const text = readFileSync(file, "utf8");
  const { documents, problems } = readFile(file, wrapKubescape(file, text));
  const read = documents.flatMap((document): (PlacedSuite | Finding)[] => {
    const dialect = DIALECTS.find(({ is }) => is(document.object, file));
    if (dialect === undefined) return [];
    try {
      const suite = { ...dialect.read(document.object, file), document };
      const { cases, skipped = [], problems = [] } = suite;
      if (cases.length + skipped.length + problems.length === 0) throw new UsageError(messages.noTests(file));
      return [suite];
    } catch (thrown) {
      // A suite that cannot be read must not keep the others from running.
      if (!(thrown instanceof UsageError)) throw thrown;
      if (thrown instanceof UnsupportedError) return [skippedSuite(document, thrown.message)];
      return [findingAt(document, { rule: "policy/suite", severity: "error", message: thrown.message })];
    }
  });
  if (isNamed && read.length + problems.length === 0) {
    const message = messages.notASuite(file);
    return { suites: [], problems: [findingInFile(file, { rule: "policy/suite", severity: "error", message })] };
  }
  const suites = read.filter((each) => "document" in each);
  const unreadable = read.filter((each) => "rule" in each);
  return { suites, problems: [...(isNamed || read.length > 0 || OWN.test(text) ? problems : []), ...unreadable] };
}

function skippedSuite(document: ManifestDocument, reason: string): PlacedSuite {
  const { file } = document;
  return { file, name: file, cases: [], skipped: [{ name: file, path: "", reason }], document };
}

/** A named file must be a suite; in a folder, other files are ignored. */
export function readSuites(paths: readonly string[]): ReadSuites {
  const read = suiteFiles(paths).map(({ file, isNamed }) => readSuiteFile(file, isNamed));
  return { suites: read.flatMap(({ suites }) => suites), problems: read.flatMap(({ problems }) => problems) };
}
