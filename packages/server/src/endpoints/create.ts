/** POST: a new object. */
import { methodNotSupported, notFound, StatusError } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import * as admission from "../registry/admission.ts";
import { writeContext } from "../registry/context.ts";
import { createObject } from "../registry/create.ts";
import { keyOf, readEntry, type Written } from "../registry/object-codec.ts";
import { checkNamespace } from "../registry/prepare.ts";
import { groupResourceOf } from "../registry/resource-type.ts";
import { decodeDraft, inputFormat, readBody } from "./body.ts";
import { type Call, checkKey, nameOf, writeCall } from "./call.ts";
import type { ApiResponse } from "./exchange.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions, type WriteOptions } from "./options.ts";
import { respondWritten } from "./output.ts";

export async function handleCreate(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, warnings, now } = call;
  const { type } = endpoint;
  if (type.createRefusal !== undefined) throw refusal(call, type.createRefusal);
  const output = negotiate(call);
  const format = inputFormat(request, endpoint.type.isCustom);
  const bytes = await readBody(request);
  const options = readWriteOptions(info.query, "CreateOptions");
  const draft = decodeDraft(bytes, format, endpoint, { ...options, warn: warnings.add });
  const written = await createOrAsk(call, options, draft);
  return respondWritten(201, written, { type, output, query: info.query, now: now() });
}

/** What is asked and not stored answers by itself. */
async function createOrAsk(call: Call, options: WriteOptions, draft: JsonObject): Promise<Written> {
  const { endpoint, server, info } = call;
  const { type, subresource } = endpoint;
  const write = writeCall(call, options);
  const { manager } = write;
  const subject = { operation: "CREATE", name: info.name, old: undefined } as const;
  const admit = (object: JsonObject): Promise<void> => admission.validate(write, { ...subject, object });
  const track = (): Promise<JsonObject> =>
    server.fieldManager.update(undefined, checkNamespace(draft, write), { endpoint, manager });
  const context = { ...writeContext(write), isDryRun: options.isDryRun, admit };
  if (subresource?.connect !== undefined) {
    const name = nameOf(call);
    checkKey(call);
    const entry = await server.store.get(keyOf(type, info.namespace, name));
    if (entry === undefined) throw notFound(groupResourceOf(type), name);
    const object = await track();
    const admitted = (await admission.mutate(write, { ...subject, object })) ?? object;
    return { object: await subresource.connect(await readEntry(entry, type), admitted, context) };
  }
  if (type.answerCreate === undefined) return createObject(write, draft);
  const object = await track();
  const admitted = (await admission.mutate(write, { ...subject, object })) ?? object;
  return { object: await type.answerCreate(admitted, context) };
}

function refusal({ endpoint, info }: Call, message: string): StatusError {
  const { code, reason, details } = methodNotSupported(groupResourceOf(endpoint.type), info.verb);
  return new StatusError({ code, reason, message, ...(details && { details }) });
}
