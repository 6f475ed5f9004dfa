/** Notes in a quota what an admitted write uses. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../../registry/context.ts";
import { APISERVER, patchAs } from "../../registry/server-writes.ts";

/** Throws a StatusError with the reason `Conflict` if the quota has changed since it was read. */
export async function storeQuotaUsed(server: ServerContext, quota: JsonObject, used: JsonObject): Promise<void> {
  const type = server.registry.find("", "v1", "resourcequotas");
  if (type === undefined) return;
  const metadata = objectOf({ resourceVersion: metaText(quota, "resourceVersion") });
  const patch = objectOf({ metadata, status: objectOf({ used }) });
  await patchAs({ server, user: APISERVER, type, object: quota, manager: "kube-apiserver" }, patch, "status");
}
