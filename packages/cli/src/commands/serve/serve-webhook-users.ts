/** The users of a kubeconfig with which the server identifies itself to admission webhooks. */
import path from "node:path";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import type { WebhookUser, WebhookUsers } from "@portcullis/server";
import { readUser } from "@portcullis/server/internal";

/** Files are relative to the kubeconfig. Throws an Error for credentials that a program would have to print. */
export function readWebhookUsers(file: string, kubeconfig: JsonObject): WebhookUsers {
  const users = new Map<string, WebhookUser>();
  for (const { name, user } of objectsOf(kubeconfig["users"])) {
    if (isObject(user)) users.set(textOf(name), readUser(user, path.dirname(file)));
  }
  const contexts = objectsOf(kubeconfig["contexts"]);
  const context = contexts.find(({ name }) => name === kubeconfig["current-context"]);
  return { users, current: context === undefined ? undefined : textOf(objectOf(context["context"])["user"]) };
}
