/** A test suite in any format. */
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { UnsupportedError, UsageError } from "../input/usage-error.ts";
import type { Fields } from "../policy/fields.ts";
import type { RequestParts } from "../policy/request.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import type { Expectation } from "./expectation.ts";

/** The cases of one file. */
export interface Suite {
  readonly file: string;
  readonly name: string;
  readonly cases: readonly SuiteCase[];
  /** Cases that do not run, with the reason. */
  readonly skipped?: readonly SkippedCase[];
  /** Parts that cannot be read. The others run. */
  readonly problems?: readonly SuiteProblem[];
  /** Written for another tool: it may hold policies that the API server would refuse but that tool runs. */
  readonly isThirdParty?: boolean;
}

/** A suite and the document it was read from. */
export interface PlacedSuite extends Suite {
  readonly document: ManifestDocument;
}

export interface SuiteCase {
  readonly name: string;
  /** Its path in the suite, such as `tests[0]`. */
  readonly path: string;
  readonly subject: Subject;
  readonly expect: Expectation;
}

export interface SkippedCase {
  readonly name: string;
  readonly path: string;
  /** Empty if the suite itself marks it as skipped. */
  readonly reason: string;
}

export interface SuiteProblem {
  readonly path: string;
  readonly message: string;
}

/** What a case evaluates. */
export type Subject =
  | RequestSubject
  | WritesSubject
  | ExpressionSubject
  | AuthenticationSubject
  | AuthorizationSubject
  | DeviceSubject;

/** A request to admission: policies, and the match conditions of webhooks. */
export interface RequestSubject {
  readonly type: "request";
  /** Policies, bindings and everything they may read. Cases that share the list share what is compiled from it. */
  readonly objects: readonly JsonObject[];
  /** The tool it was written for ignores match rules: a policy that does not match is applied, with a note. */
  readonly ignoresRules?: boolean;
  /** The policies were converted from another language: one that does not compile uses functions of that language. */
  readonly isConverted?: boolean;
  readonly request: RequestParts;
}

/** Writes in order, each with what the API server answers. */
export interface WritesSubject {
  readonly type: "writes";
  /** CRDs, policies and everything else that exists before. */
  readonly objects: readonly JsonObject[];
  readonly steps: readonly WriteStep[];
}

export interface WriteStep {
  /** Such as `steps[1]`; "" if the case is the step. */
  readonly path: string;
  readonly action: WriteAction;
  readonly request: Pick<RequestParts, "user" | "namespace" | "dryRun">;
  readonly fieldValidation: "Strict" | "Warn" | "Ignore";
  readonly expect: Expectation;
}

export type WriteAction =
  /** A CRD in place of the one of the same name. */
  | { readonly type: "crd"; readonly crd: JsonObject }
  /** A merge patch, or a JSON patch, of the only CRD. */
  | { readonly type: "patchCrd"; readonly patch: JsonValue }
  | { readonly type: "live"; readonly object: JsonObject }
  | { readonly type: "create"; readonly object: JsonObject }
  | { readonly type: "update"; readonly object: JsonObject }
  | { readonly type: "status"; readonly object: JsonObject }
  /** A merge patch of the object of the step before. */
  | { readonly type: "change"; readonly patch: JsonObject }
  | { readonly type: "delete" };

/** An expression without any context of its own. */
export interface ExpressionSubject {
  readonly type: "expression";
  readonly expression: string;
  readonly variables: JsonObject;
}

/** The claims of a token, put to an AuthenticationConfiguration. */
export interface AuthenticationSubject {
  readonly type: "authentication";
  readonly configuration: JsonObject;
  readonly claims: JsonObject;
}

/** The spec of a SubjectAccessReview, put to the webhooks of an AuthorizationConfiguration. */
export interface AuthorizationSubject {
  readonly type: "authorization";
  readonly configuration: JsonObject;
  readonly review: JsonObject;
}

/** A device of a ResourceSlice, put to selectors. */
export interface DeviceSubject {
  readonly type: "device";
  readonly driver: string;
  readonly device: JsonObject;
  readonly selectors: readonly string[];
}

/** Reads the cases of one list. One that cannot be read is a problem; one that needs another tool is skipped. */
export function readCases(
  all: readonly Fields[],
  read: (fields: Fields) => readonly (SuiteCase | SkippedCase)[],
): Required<Pick<Suite, "cases" | "skipped" | "problems">> {
  const found = all.flatMap((fields): readonly (SuiteCase | SkippedCase | SuiteProblem)[] => {
    try {
      return read(fields);
    } catch (thrown) {
      if (!(thrown instanceof UsageError)) throw thrown;
      if (thrown instanceof UnsupportedError) return [{ name: fields.name, path: fields.path, reason: thrown.message }];
      return [{ path: fields.path, message: thrown.message }];
    }
  });
  return {
    cases: found.filter((each) => "subject" in each),
    skipped: found.filter((each) => "reason" in each),
    problems: found.filter((each) => "message" in each),
  };
}
