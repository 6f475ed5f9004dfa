/** Marks a Secret whose token was used. Follows kubernetes pkg/serviceaccount/legacy.go. */
import { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, objectOf } from "@portcullis/engine/internal/value/metadata";
import type { ServerContext } from "../registry/context.ts";
import { APISERVER, patchAs } from "../registry/server-writes.ts";

/** The token is valid even if the label cannot be written. */
export async function labelSecret(server: ServerContext, secret: JsonObject, labels: JsonObject): Promise<void> {
  const type = server.registry.find("", "v1", "secrets");
  if (type === undefined) return;
  const write = { server, user: APISERVER, type, object: secret, manager: "kube-apiserver" };
  const metadata = objectOf({ uid: metaText(secret, "uid"), labels });
  await patchAs(write, objectOf({ metadata })).catch((error: unknown) => {
    if (!(error instanceof StatusError)) server.onDefect(error);
  });
}
