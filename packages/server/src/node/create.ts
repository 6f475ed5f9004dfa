/** Creating objects from inside the process, with the same checks as any request: for what a server is started with. */

import { apiVersionOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { decodeUtf8, encodeUtf8 } from "@portcullis/gostd/utf8";
import type { App } from "../app/app.ts";
import { type ApiRequest, type ApiResponse, isStream } from "../http/exchange.ts";

/** The answer to an object that was created at start. */
export interface Created {
  readonly code: number;
  /** The answer as it was sent. */
  readonly text: string;
}

/** What the object sets off has happened when this resolves: its kind is served, its namespace furnished. */
export async function createThrough(app: App, token: string, object: JsonObject): Promise<Created> {
  const type = app.context.registry.all().find((each) => isOfType(object, each));
  if (type === undefined) return { code: 404, text: `no kind \`${textOf(object["kind"])}\` is served` };
  const response = await app.handle(post(pathOf(type, object), token, object));
  await app.settled();
  return { code: response.status, text: bodyText(response) };
}

function isOfType(object: JsonObject, type: ResourceKind): boolean {
  return object["kind"] === type.kind && object["apiVersion"] === apiVersionOf(type);
}

function pathOf(type: ResourceKind, object: JsonObject): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const within = type.namespaced ? `/namespaces/${metaText(object, "namespace") || "default"}` : "";
  return `${root}${within}/${type.plural}?fieldManager=portcullis-load`;
}

function post(target: string, token: string, object: JsonObject): ApiRequest {
  const headers = new Map([
    ["authorization", `Bearer ${token}`],
    ["content-type", "application/json"],
  ]);
  const bytes = encodeUtf8(canonicalJson(object));
  return {
    method: "POST",
    target,
    header: (name) => headers.get(name),
    headerValues: (name) => [headers.get(name) ?? []].flat(),
    headerNames: () => [...headers.keys()],
    readBody: async () => bytes,
  };
}

function bodyText({ body }: ApiResponse): string {
  if (typeof body === "string") return body;
  return isStream(body) ? "" : decodeUtf8(body);
}
