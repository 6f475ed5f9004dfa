/** Policies of files as proofs want them: with their kinds, params, namespaces and the constants of their expressions. */
import { walk } from "@portcullis/cel";
import type { EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { type CompiledPolicy, compiledPolicy } from "@portcullis/engine/policy/compile";
import type { AdmissionPolicy } from "@portcullis/engine/policy/policy";
import type { PolicySet } from "@portcullis/engine/policy/policy-set";
import type { ComparedSide, CompareOptions } from "@portcullis/engine/prove/compare-policies";
import type { Pool } from "@portcullis/engine/prove/example";
import { type Budget, OutOfBudget } from "@portcullis/engine/prove/path-search";
import { isObject, type JsonObject } from "@portcullis/engine/value/json";
import { admitter } from "./proof-admit.ts";
import { proofKind, proofKinds } from "./proof-kinds.ts";
import { textOf } from "./request.ts";
import { metaOf } from "./settle.ts";
import { makeUser } from "./user.ts";
import { buildWorld, type World } from "./world.ts";

export interface ProofWorld {
  readonly world: World;
  readonly side: ComparedSide;
}

/** One side of a comparison. */
export function proofWorld(objects: readonly JsonObject[], engine: EngineOptions, unit: string): ProofWorld {
  const world = buildWorld(objects, engine);
  const { params, equivalents } = world.context;
  if (equivalents === undefined) throw new Error("a world knows its equivalents");
  const side: ComparedSide = {
    unit,
    policies: world.policies,
    params,
    equivalents,
    kindOf: (gvk) => {
      const served = world.kinds.ofKind(gvk);
      return served && proofKind(served);
    },
    namespaces: [...new Set(["default", ...objects.map((each) => textOf(metaOf(each)["namespace"]))])].filter(
      (each) => each !== "",
    ),
    context: { ...world.context, explain: false },
  };
  return { world, side };
}

export interface ProofOptions {
  readonly objects: readonly JsonObject[];
  readonly policies: readonly AdmissionPolicy[];
  readonly world: World;
  /** How many ways each question is worth, and until when. */
  readonly budget: () => Budget;
}

export function compareOptions({ objects, policies, world, budget }: ProofOptions): CompareOptions {
  const namespaces = objects.filter(({ kind, apiVersion }) => kind === "Namespace" && apiVersion === "v1");
  return {
    kinds: proofKinds(objects, world.kinds),
    budget,
    replay: {
      admit: admitter(world.kinds),
      namespaces,
      users: usersIn(objects),
      pool: poolOf(policies.map((each) => compiledPolicy(each))),
    },
  };
}

/** A number of ways, and a time. */
export function waysAndTime(ways: number, deadline: () => number, now: () => number): Budget {
  let left = ways;
  return {
    spend: () => {
      if (left-- <= 0) throw new OutOfBudget("too many cases; a larger --budget may decide it");
      if (now() > deadline()) throw new OutOfBudget("out of time; a larger --budget may decide it");
    },
  };
}

/** Users that role bindings name, and one who may do everything. */
function usersIn(objects: readonly JsonObject[]) {
  const subjects = objects.flatMap((object) => (Array.isArray(object["subjects"]) ? object["subjects"] : []));
  const named = subjects.flatMap((subject) => (isObject(subject) ? [subject] : []));
  const users = named.filter(({ kind }) => kind === "User").map(({ name }) => makeUser(textOf(name), []));
  const groups = named.filter(({ kind }) => kind === "Group").map(({ name }) => makeUser("alice", [textOf(name)]));
  return [...users, ...groups, makeUser("admin", ["system:masters"])];
}

const TEXTS = [
  "",
  "a",
  "1",
  "5",
  "-1",
  "0",
  "10",
  "100",
  "1.5",
  "99999999999999999999",
  "500m",
  "1Gi",
  "2",
  "3",
  "4",
  "x",
  "true",
  "1h",
  "10s",
  "2030-01-01T00:00:00Z",
  "10.0.0.1",
  "10.0.0.0/8",
  "::1",
  "https://example.com/a",
  "example.com/a:b",
  "a/b/c",
  "registry.example.com/app:1.0",
  "app@sha256:0000000000000000000000000000000000000000000000000000000000000000",
  "öööööööööööööööööööö",
  "A",
  "1.2.3",
  " a",
  "a b",
];

function poolOf(policies: readonly CompiledPolicy[]): Pool {
  const texts = new Set<string>();
  const ints = new Set<bigint>();
  for (const policy of policies) {
    const expressions = [
      ...policy.variables.values(),
      ...policy.matchConditions,
      ...policy.validations,
      ...policy.auditAnnotations,
    ];
    for (const { ast } of expressions) {
      if (ast === undefined) continue;
      walk(ast.checked.expr, (expr) => {
        if (expr.kind !== "literal") return;
        if (typeof expr.value === "string") texts.add(expr.value);
        if (typeof expr.value === "number" || typeof expr.value === "bigint") ints.add(BigInt(expr.value));
      });
    }
  }
  const near = [...ints].flatMap((each) => [each - 1n, each, each + 1n]);
  const own = [...texts].flatMap((text) => [text, `${text}a`, `a${text}`, text.slice(0, -1), text.toUpperCase()]);
  return { texts: [...new Set([...own, ...near.map(String), ...TEXTS])], ints: [...new Set([...near, -1n, 0n, 1n])] };
}

/** All policies, bound or not. */
export function policiesOf({ hooks, unbound }: PolicySet): AdmissionPolicy[] {
  return [...hooks.map(({ policy }) => policy), ...unbound];
}
