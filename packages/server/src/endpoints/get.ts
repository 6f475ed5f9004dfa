/** GET of one object. */

import { groupResourceOf, type ResourceKind } from "@portcullis/engine/internal/review/kind";
import { checkKey } from "@portcullis/engine/internal/review/prepare";
import { badRequest, bareError, notFound } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { parseUint } from "@portcullis/gostd/strconv";
import type { QueryValues } from "@portcullis/gostd/url";
import type { ApiResponse } from "../http/exchange.ts";
import { keyOf, readEntry } from "../registry/object-codec.ts";
import { type Call, nameOf } from "./call.ts";
import { waitForRevision } from "./list.ts";
import * as messages from "./messages.ts";
import { negotiate } from "./negotiate.ts";
import { transform } from "./output.ts";
import { respondObject } from "./respond.ts";

export async function handleGet(call: Call): Promise<ApiResponse> {
  const { endpoint, info, now } = call;
  const { type, subresource } = endpoint;
  const name = nameOf(call);
  const output = negotiate(call);
  if (wantsExport(info.query)) throw badRequest(messages.exportGone());
  checkKey({ endpoint, namespace: info.namespace, name });
  await checkVersion(call);
  const object = type.computed === undefined ? await readStored(call, name) : await compute(type, name);
  const shown = subresource?.view(object, "read") ?? object;
  return respondObject(200, transform(shown, { type, output, query: info.query, now: now() }), output);
}

async function readStored(call: Call, name: string): Promise<JsonObject> {
  const { endpoint, info, server, weigh } = call;
  const { type } = endpoint;
  const entry = await server.store.get(keyOf(type, info.namespace, name));
  if (entry === undefined) throw notFound(groupResourceOf(type), name);
  weigh(entry.value.length);
  return readEntry(entry, type);
}

/** Upstream names the kind by its singular where there is none of that name. */
async function compute({ computed, group, singular }: ResourceKind, name: string): Promise<JsonObject> {
  const found = (await computed?.())?.find((each) => metaText(each, "name") === name);
  if (found === undefined) throw notFound({ group, resource: singular }, name);
  return found;
}

/** Anything but "false" and "0" is true, as Go's query decoding of booleans has it; an empty text too. */
function wantsExport(query: QueryValues): boolean {
  const value = query.get("export")?.[0];
  return value !== undefined && value.toLowerCase() !== "false" && value !== "0";
}

/** A version that is still to come cannot be shown. */
async function checkVersion(call: Call): Promise<void> {
  const text = call.info.query.get("resourceVersion")?.[0] ?? "";
  if (text === "" || text === "0") return;
  const parsed = parseUint(text, 10, 64);
  if (parsed.error !== undefined) throw bareError(messages.badVersion(text, parsed.error));
  await waitForRevision(call, parsed.value);
}
