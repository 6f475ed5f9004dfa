/** Kubeconfigs with which the server reaches webhooks: the cluster and the user of the current context. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import type { WebhookConnection } from "../access/modes.ts";
import type { WebhookUser } from "../webhooks/credentials.ts";

/** Throws an Error where it cannot be read or names no server. */
export function readConnection(file: string): WebhookConnection {
  const decoded = decodeYaml(readFileSync(file, "utf8"));
  if (decoded.error !== undefined) throw new Error(`error loading config file "${file}": ${decoded.error}`);
  const kubeconfig = objectOf(isObject(decoded.value) ? decoded.value : undefined);
  const member = (list: string, name: string, of: string): JsonObject =>
    objectOf(objectsOf(kubeconfig[list]).find((each) => textOf(each["name"]) === name)?.[of]);
  const context = member("contexts", textOf(kubeconfig["current-context"]), "context");
  const cluster = member("clusters", textOf(context["cluster"]), "cluster");
  const url = textOf(cluster["server"]);
  if (url === "") throw new Error(NO_SERVER);
  const ca = materialOf(cluster, "certificate-authority", path.dirname(file));
  const serverName = textOf(cluster["tls-server-name"]);
  return {
    url,
    ...(ca === "" ? {} : { ca }),
    ...(cluster["insecure-skip-tls-verify"] === true && { isInsecure: true }),
    ...(serverName === "" ? {} : { serverName }),
    user: readUser(member("users", textOf(context["user"]), "user"), path.dirname(file)),
  };
}

const NO_SERVER =
  "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";

/** The credentials of a user. Throws an Error for those that a program would have to print. */
export function readUser(user: JsonObject, folder: string): WebhookUser {
  if (user["auth-provider"] !== undefined) throw new Error("auth provider not supported");
  if (user["exec"] !== undefined) throw new Error("credentials of exec plugins are not supported");
  const [tokenFile, cert, username] = [
    textOf(user["tokenFile"]),
    materialOf(user, "client-certificate", folder),
    textOf(user["username"]),
  ];
  const token = textOf(user["token"]) || (tokenFile === "" ? "" : readIn(folder, tokenFile).trim());
  const impersonated = textOf(user["as"]);
  const groups = textsOf(user["as-groups"]);
  return {
    ...(token === "" ? {} : { token }),
    ...(cert === "" ? {} : { identity: { cert, key: materialOf(user, "client-key", folder) } }),
    ...(username === "" ? {} : { basic: { username, password: textOf(user["password"]) } }),
    ...(impersonated === "" ? {} : { impersonate: { user: impersonated, uid: textOf(user["as-uid"]), groups } }),
  };
}

/** In the kubeconfig itself, or in a file that it names. */
function materialOf(json: JsonObject, key: string, folder: string): string {
  const [data, place] = [textOf(json[`${key}-data`]), textOf(json[key])];
  if (data !== "") return Buffer.from(data, "base64").toString("utf8");
  return place === "" ? "" : readIn(folder, place);
}

function readIn(folder: string, file: string): string {
  return readFileSync(path.resolve(folder, file), "utf8");
}
