/**
 * Component statuses: upstream checks the scheduler, the controller manager and etcd on each request.
 *
 * Follows pkg/registry/core/componentstatus. `etcd-0` stands for the store, whatever it is.
 */
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { builtInKind } from "@portcullis/engine/internal/review/kinds/built-in";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { isStoreThere } from "../endpoints/health.ts";
import type { Store } from "../storage/store.ts";
import * as messages from "./messages.ts";

export interface ComponentHealth {
  /** Undefined if it could not be found out. */
  readonly isHealthy: boolean | undefined;
  readonly message: string;
  readonly error?: string;
}

/** Asks a component how it is. */
export type CheckComponent = (url: string) => Promise<ComponentHealth>;

/** Where components listen on the machine of their API server. */
const COMPONENTS: Readonly<Record<string, string>> = {
  scheduler: "https://127.0.0.1:10259/healthz",
  "controller-manager": "https://127.0.0.1:10257/healthz",
};

export function componentStatusType(store: Store, check: CheckComponent = unknownHealth): ResourceKind {
  const resource = builtinResource("", "v1", "componentstatuses");
  if (resource === undefined) throw new Error("there are no component statuses");
  const asked = Object.entries(COMPONENTS);
  const computed = async (): Promise<readonly JsonObject[]> => [
    ...(await Promise.all(asked.map(async ([name, url]) => statusOf(name, await check(url))))),
    statusOf("etcd-0", await storeHealth(store)),
  ];
  return { ...builtInKind(resource), computed };
}

const unknownHealth: CheckComponent = async () => ({ isHealthy: undefined, message: "", error: messages.outOfReach() });

async function storeHealth(store: Store): Promise<ComponentHealth> {
  const isHealthy = await isStoreThere({ store });
  return isHealthy ? { isHealthy, message: "ok" } : { isHealthy, message: "", error: messages.noAnswer() };
}

function statusOf(name: string, { isHealthy, message, error = "" }: ComponentHealth): JsonObject {
  const condition = objectOf({
    type: "Healthy",
    status: isHealthy === undefined ? "Unknown" : isHealthy ? "True" : "False",
    message: message === "" ? undefined : message,
    error: error === "" ? undefined : error,
  });
  return objectOf({ kind: "ComponentStatus", apiVersion: "v1", metadata: objectOf({ name }), conditions: [condition] });
}
