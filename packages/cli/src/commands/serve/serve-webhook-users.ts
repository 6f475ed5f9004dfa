/** The users of a kubeconfig with which the server identifies itself to admission webhooks. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import type { WebhookUser, WebhookUsers } from "@portcullis/server";

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

function readUser(user: JsonObject, folder: string): WebhookUser {
  if (user["auth-provider"] !== undefined) throw new Error("auth provider not supported");
  if (user["exec"] !== undefined) throw new Error("credentials of exec plugins are not supported");
  const read = (file: string): string => readFileSync(path.resolve(folder, file), "utf8");
  const material = (key: string): string => {
    const [data, place] = [textOf(user[`${key}-data`]), textOf(user[key])];
    if (data !== "") return Buffer.from(data, "base64").toString("utf8");
    return place === "" ? "" : read(place);
  };
  const [tokenFile, cert, username] = [
    textOf(user["tokenFile"]),
    material("client-certificate"),
    textOf(user["username"]),
  ];
  const token = textOf(user["token"]) || (tokenFile === "" ? "" : read(tokenFile).trim());
  const impersonated = textOf(user["as"]);
  const groups = textsOf(user["as-groups"]);
  return {
    ...(token === "" ? {} : { token }),
    ...(cert === "" ? {} : { identity: { cert, key: material("client-key") } }),
    ...(username === "" ? {} : { basic: { username, password: textOf(user["password"]) } }),
    ...(impersonated === "" ? {} : { impersonate: { user: impersonated, uid: textOf(user["as-uid"]), groups } }),
  };
}
