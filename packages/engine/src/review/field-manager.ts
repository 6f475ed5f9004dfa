/** Who owns which field: the seam between writes and server-side apply. */

import { StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { withMeta } from "../value/metadata.ts";
import type { Endpoint } from "./kind.ts";

export interface OwnershipRequest {
  readonly endpoint: Endpoint;
  readonly manager: string;
  /** Called between steps, as that of a write. */
  readonly pause?: (() => Promise<void> | undefined) | undefined;
}

export interface FieldManager {
  /** The draft of a create, an update or a patch with its managed fields settled. `live` is undefined on create. */
  update(live: JsonObject | undefined, draft: JsonObject, request: OwnershipRequest): Promise<JsonObject>;
  /** The live object merged with an applied configuration. Throws a StatusError on conflicts. */
  apply(
    live: JsonObject | undefined,
    config: JsonObject,
    request: OwnershipRequest & { force: boolean },
  ): Promise<JsonObject>;
}

/** Tracks nothing: objects have no managed fields, and apply is refused. */
export const untracked: FieldManager = {
  update: async (_live, draft) => withMeta(draft, { managedFields: undefined }),
  apply: async () => {
    throw new StatusError({ code: 415, reason: "UnsupportedMediaType", message: "server-side apply is not available" });
  },
};
