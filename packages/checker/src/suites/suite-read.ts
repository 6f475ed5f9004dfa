/** Finds test suites among files, in any supported format. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../input/usage-error.ts";
import { loadDocuments } from "../policy/load.ts";
import * as messages from "../policy/messages.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { PlacedSuite, Suite } from "./suite.ts";
import { isGatorSuite, readGatorSuite } from "./suite-gator.ts";
import { isKaptest, readKaptest } from "./suite-kaptest.ts";
import { isKyvernoTest, readKyvernoTest } from "./suite-kyverno.ts";
import { isOwnSuite, readOwnSuite } from "./suite-own.ts";

interface Dialect {
  readonly is: (json: JsonObject) => boolean;
  readonly read: (json: JsonObject, file: string) => Suite;
}

const DIALECTS: readonly Dialect[] = [
  { is: isOwnSuite, read: readOwnSuite },
  { is: isKyvernoTest, read: readKyvernoTest },
  { is: isGatorSuite, read: readGatorSuite },
  { is: isKaptest, read: readKaptest },
];

export function isSuite(object: JsonObject): boolean {
  return DIALECTS.some(({ is }) => is(object));
}

/** Undefined if the document is not a suite. `file` is what paths in it are relative to. */
export function readSuite({ object }: ManifestDocument, file: string): Suite | undefined {
  return DIALECTS.find(({ is }) => is(object))?.read(object, file);
}

/** A named file must be a suite; in a folder, other files are ignored. */
export function readSuites(paths: readonly string[]): PlacedSuite[] {
  const suites = paths.flatMap((path) => {
    const found = loadDocuments([path]).flatMap((document) => {
      const suite = readSuite(document, document.file);
      return suite === undefined ? [] : [{ ...suite, document }];
    });
    if (found.length === 0) throw new UsageError(messages.notASuite(path));
    return found;
  });
  if (suites.length === 0) throw new UsageError(messages.noSuites());
  const empty = suites.find(({ cases, skipped = 0 }) => cases.length + skipped === 0);
  if (empty !== undefined) throw new UsageError(messages.noTests(empty.file));
  return suites;
}
