/**
 * Reads the server and the credentials of a kubeconfig as kubectl does: tokens, client certificates, names and
 * passwords, programs that print credentials, impersonation and proxies. Several files are merged.
 */
import path from "node:path";
import { readTextFile } from "@portcullis/checker/internal/input/read-text";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeDocuments } from "@portcullis/engine/internal/codec/documents";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { type Credential, runCredentialPlugin } from "./exec-credential.ts";
import { proxyFor } from "./proxy.ts";

export interface ClusterAccess {
  readonly server: string;
  readonly ca: string | undefined;
  readonly skipVerify: boolean;
  /** The name in the server's certificate, if it is not that of the address. */
  readonly serverName: string | undefined;
  readonly proxy: URL | undefined;
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly basic: string | undefined;
  /** Headers that impersonate another user. */
  readonly impersonation: Readonly<Record<string, string | readonly string[]>>;
  readonly namespace: string;
}

/** An entry, and the folder that its relative paths are in. */
interface Entry {
  readonly value: JsonObject;
  readonly folder: string;
}

/** `files` is one file, or several separated as in `KUBECONFIG`; the first that has an entry wins. */
export function readKubeconfig(files: string, contextName?: string): ClusterAccess {
  const configs = files.split(path.delimiter).filter(Boolean).map(readConfig);
  const current = configs.map(({ value }) => text(value["current-context"])).find((each) => each !== "");
  const name = contextName ?? current ?? "";
  const context = find(configs, "contexts", name, "context")?.value;
  if (context === undefined && name === "")
    throw new UsageError(`${files}: there is no current context; name one with --context`);
  if (context === undefined) throw new UsageError(`${files}: no context \`${name}\``);
  const clusterName = text(context["cluster"]);
  const cluster = find(configs, "clusters", clusterName, "cluster");
  if (cluster === undefined) throw new UsageError(`${files}: no cluster \`${clusterName}\``);
  const userName = text(context["user"]);
  const user = find(configs, "users", userName, "user") ?? { value: {}, folder: "." };
  const server = serverOf(cluster, files);
  return {
    ...server,
    ...credentialsOf(user, server, { files, userName }),
    namespace: text(context["namespace"]) || "default",
  };
}

function readConfig(file: string): Entry {
  const [first] = decodeDocuments(readTextFile(file), {});
  const value = first?.document.error === undefined ? first?.document.value : undefined;
  if (!isObject(value)) throw new UsageError(`${file}: not a kubeconfig`);
  return { value, folder: path.dirname(file) };
}

function find(configs: readonly Entry[], list: string, name: string, member: string): Entry | undefined {
  for (const { value: config, folder } of configs) {
    const entries = config[list];
    const entry = isArray(entries) ? entries.filter(isObject).find((each) => each["name"] === name) : undefined;
    const value = entry?.[member];
    if (isObject(value)) return { value, folder };
  }
  return undefined;
}

type ServerAccess = Pick<ClusterAccess, "server" | "ca" | "skipVerify" | "serverName" | "proxy">;

function serverOf(entry: Entry, files: string): ServerAccess {
  const { value: cluster } = entry;
  const server = text(cluster["server"]);
  if (!/^https?:\/\//.test(server) || !URL.canParse(server))
    throw new UsageError(`${files}: \`${server}\` is not the address of a server`);
  return {
    server,
    ca: material(entry, "certificate-authority"),
    skipVerify: cluster["insecure-skip-tls-verify"] === true,
    serverName: optional(cluster["tls-server-name"]),
    proxy: proxyFor(server, optional(cluster["proxy-url"]), process.env),
  };
}

type UserAccess = Pick<ClusterAccess, "token" | "cert" | "key" | "basic" | "impersonation">;

function credentialsOf(entry: Entry, server: ServerAccess, names: { files: string; userName: string }): UserAccess {
  const { value: user, folder } = entry;
  if (user["auth-provider"] !== undefined) {
    throw new UsageError(
      `${names.files}: user \`${names.userName}\` has an auth-provider, which kubectl no longer supports; use exec`,
    );
  }
  const tokenFile = text(user["tokenFile"]);
  const own: UserAccess = {
    token: tokenFile === "" ? optional(user["token"]) : readTextFile(path.resolve(folder, tokenFile)).trim(),
    cert: material(entry, "client-certificate"),
    key: material(entry, "client-key"),
    basic: text(user["username"]) === "" ? undefined : `${text(user["username"])}:${text(user["password"])}`,
    impersonation: impersonation(user),
  };
  const { exec } = user;
  // As in client-go: a token or a password of the file itself is used first.
  if (!isObject(exec) || own.token !== undefined || own.basic !== undefined) return own;
  const made: Credential = runCredentialPlugin(exec, { folder, place: names.files, server });
  return { ...own, token: made.token, cert: made.cert ?? own.cert, key: made.key ?? own.key };
}

function impersonation(user: JsonObject): ClusterAccess["impersonation"] {
  const headers: Record<string, string | readonly string[]> = {};
  const { as: name, "as-uid": uid, "as-groups": groups, "as-user-extra": extra } = user;
  if (text(name) !== "") headers["Impersonate-User"] = text(name);
  if (text(uid) !== "") headers["Impersonate-Uid"] = text(uid);
  if (isArray(groups)) headers["Impersonate-Group"] = groups.map(text);
  for (const [key, values] of Object.entries(isObject(extra) ? extra : {})) {
    headers[`Impersonate-Extra-${encodeURIComponent(key)}`] = isArray(values) ? values.map(text) : [];
  }
  return headers;
}

/** Inline data wins over a file, as in kubectl. */
function material({ value: holder, folder }: Entry, key: string): string | undefined {
  const data = text(holder[`${key}-data`]);
  if (data !== "") return Buffer.from(data, "base64").toString("utf8");
  const file = text(holder[key]);
  return file === "" ? undefined : readTextFile(path.resolve(folder, file));
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function optional(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
