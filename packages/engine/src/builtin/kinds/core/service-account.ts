/** ServiceAccount: the identity of pods. */
import { newPath } from "../../../field/path.ts";
import { hasKey, type JsonObject } from "../../../value/json.ts";
import { AGE, NAME } from "../../columns/column.ts";
import type { Draft } from "../../defaults/draft.ts";
import { metaOf, objectFrom, objectOf, objectsOf } from "../../object.ts";
import * as messages from "../../warnings/messages.ts";
import { defineKind } from "../kind.ts";

export const serviceAccount = defineKind("v1", "ServiceAccount", {
  metadata: { update: "both" },
  prepareCreate: cleanSecrets,
  prepareUpdate: cleanSecrets,
  warnings: { create: (account) => accountWarnings(account), update: accountWarnings },
  columns: [NAME, AGE],
  returnsDeletedObject: true,
});

/** Of a secret only the name is kept. */
function cleanSecrets(account: Draft): void {
  const secrets = objectsOf(account, "secrets");
  if (secrets.length > 0) account["secrets"] = secrets.map(({ name }) => objectFrom({ name }));
}

const MOUNTABLE = "kubernetes.io/enforce-mountable-secrets";

function accountWarnings(account: JsonObject, old?: JsonObject): string[] {
  const isNew = hasMountable(account) && (old === undefined || !hasMountable(old));
  return isNew ? [messages.mountableSecrets(newPath("metadata", "annotations").key(MOUNTABLE))] : [];
}

function hasMountable(account: JsonObject): boolean {
  return hasKey(objectOf(metaOf(account), "annotations") ?? {}, MOUNTABLE);
}
