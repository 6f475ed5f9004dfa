/** A policy checked against the schemas of its case. */
import { loadPolicy } from "@portcullis/engine/internal/policy/policy";
import {
  checkPolicyTypes,
  type ExpressionWarning,
  type TypeResolver,
} from "@portcullis/engine/internal/policy/typecheck/typecheck";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { RECORDED_VERSION } from "../recorded-version.ts";

export interface TypecheckCase {
  readonly id: string;
  readonly policy: unknown;
  /** By `group/version/Kind`. */
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Kinds by `group/version/resource`. */
  readonly resources: Readonly<Record<string, string>>;
  readonly warnings: readonly ExpressionWarning[];
}

export function answerTypecheck({ policy, schemas, resources }: TypecheckCase): readonly ExpressionWarning[] {
  const json = fromPlain(policy);
  if (!isObject(json)) throw new Error("a policy is an object");
  const resolver: TypeResolver = {
    kindsFor({ group, version, resource }) {
      const kind = resources[`${group}/${version}/${resource}`];
      return kind === undefined ? [] : [{ group, version, kind }];
    },
    schemaOf({ group, version, kind }) {
      const schema = schemas[`${group}/${version}/${kind}`];
      return schema === undefined ? undefined : parseSchema(fromPlain(schema));
    },
  };
  const kinds = Object.keys(schemas).map((name) => name.split("/")[2] ?? "");
  return checkPolicyTypes(loadPolicy(json), resolver, RECORDED_VERSION).map(({ fieldRef, warning }) => ({
    fieldRef,
    warning: steady(warning, kinds),
  }));
}

/** Upstream puts the time into the names of types. */
function steady(text: string, kinds: readonly string[]): string {
  return kinds.reduce((found, kind) => found.replaceAll(new RegExp(`\\b${kind}\\d+\\b`, "g"), `${kind}<N>`), text);
}
