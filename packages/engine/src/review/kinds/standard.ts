/** The kinds that every API server serves, with the rules that all of them are written under. */
import { type BuiltinResource, earlyResources } from "../../builtin/builtin.ts";
import { asServer } from "../../value/server-version.ts";
import type { EngineOptions } from "../custom-resource/custom-resource.ts";
import type { ResourceKind } from "../kind.ts";
import { admissionConfigurationRules } from "./admission-configuration.ts";
import { type BuiltInKindOptions, builtInKind, builtInKinds } from "./built-in.ts";
import { certificateRules } from "./certificate-request.ts";
import { crdKind } from "./crd.ts";
import { namespaceKind } from "./namespace.ts";
import { podRules } from "./pod-parts.ts";
import { kindOfServer } from "./server-kind.ts";
import type { ServiceAddressAllocator } from "./service-addresses.ts";

export interface StandardKindOptions {
  readonly engine: EngineOptions;
  readonly addresses?: ServiceAddressAllocator | undefined;
}

/** Namespaces, CRDs and all other kinds that are stored. */
export function standardKinds(options: StandardKindOptions): ResourceKind[] {
  const { engine } = options;
  const stored = asServer(engine, () => builtInKinds((resource) => standardRules(resource, options)));
  return [namespaceKind, crdKind(engine), ...stored].map((kind) => kindOfServer(kind, engine));
}

/** Beta and alpha versions, which are served only where they are asked for. */
export function earlyKinds(options: StandardKindOptions): ResourceKind[] {
  const { engine } = options;
  const early = asServer(engine, () =>
    earlyResources().map((resource) => builtInKind(resource, standardRules(resource, options))),
  );
  return early.map((kind) => kindOfServer(kind, engine));
}

/** What the review of a built-in kind goes by. */
export function standardRules(
  resource: BuiltinResource,
  { engine, addresses }: StandardKindOptions,
): BuiltInKindOptions {
  return {
    addresses,
    ...podRules(resource),
    ...certificateRules(resource),
    ...admissionConfigurationRules(resource, engine),
  };
}
