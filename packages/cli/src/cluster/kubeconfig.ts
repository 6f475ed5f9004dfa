/**
 * Reads the server and the credentials of a kubeconfig: a token, a client certificate, or a name and password.
 *
 * Credential plugins (`exec`, auth providers) are not run.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";

export interface ClusterAccess {
  readonly server: string;
  readonly ca: string | undefined;
  readonly skipVerify: boolean;
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly basic: string | undefined;
  readonly namespace: string;
}

export function readKubeconfig(file: string, contextName?: string): ClusterAccess {
  const [first] = decodeDocuments(readFileSync(file, "utf8"), {});
  const config = first?.document.error === undefined ? first?.document.value : undefined;
  if (!isObject(config)) throw new UsageError(`${file}: not a kubeconfig`);
  const name = contextName ?? text(config["current-context"]);
  const context = named(config["contexts"], name, "context");
  if (context === undefined) throw new UsageError(`${file}: no context \`${name}\``);
  const cluster = named(config["clusters"], text(context["cluster"]), "cluster");
  if (cluster === undefined) throw new UsageError(`${file}: no cluster \`${text(context["cluster"])}\``);
  const user = named(config["users"], text(context["user"]), "user") ?? {};
  if (user["exec"] !== undefined || user["auth-provider"] !== undefined) {
    throw new UsageError(
      `${file}: user \`${text(context["user"])}\` needs a program that prints credentials; only tokens and client certificates are supported`,
    );
  }
  const folder = path.dirname(file);
  const tokenFile = text(user["tokenFile"]);
  return {
    server: text(cluster["server"]),
    ca: material(cluster, "certificate-authority", folder),
    skipVerify: cluster["insecure-skip-tls-verify"] === true,
    token: tokenFile === "" ? optional(user["token"]) : readFileSync(path.resolve(folder, tokenFile), "utf8").trim(),
    cert: material(user, "client-certificate", folder),
    key: material(user, "client-key", folder),
    basic: text(user["username"]) === "" ? undefined : `${text(user["username"])}:${text(user["password"])}`,
    namespace: text(context["namespace"]) || "default",
  };
}

function named(list: JsonValue | undefined, name: string, member: string): JsonObject | undefined {
  const entry = isArray(list) ? list.filter(isObject).find((each) => each["name"] === name) : undefined;
  const value = entry?.[member];
  return isObject(value) ? value : undefined;
}

/** Inline data wins over a file, as in kubectl. */
function material(holder: JsonObject, key: string, folder: string): string | undefined {
  const data = text(holder[`${key}-data`]);
  if (data !== "") return Buffer.from(data, "base64").toString("utf8");
  const file = text(holder[key]);
  return file === "" ? undefined : readFileSync(path.resolve(folder, file), "utf8");
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function optional(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
