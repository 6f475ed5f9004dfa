/** POST: a new object. */
import { methodNotSupported, StatusError } from "@portcullis/engine/status/error";
import { createObject } from "../registry/create.ts";
import { groupResourceOf } from "../registry/resource-type.ts";
import { decodeDraft, inputFormat, readBody } from "./body.ts";
import { type Call, writeCall } from "./call.ts";
import type { ApiResponse } from "./exchange.ts";
import { negotiate } from "./negotiate.ts";
import { readWriteOptions } from "./options.ts";
import { transform } from "./output.ts";
import { respondObject } from "./respond.ts";

export async function handleCreate(call: Call): Promise<ApiResponse> {
  const { endpoint, request, info, warnings, now } = call;
  const { type } = endpoint;
  if (type.createRefusal !== undefined) throw refusal(call, type.createRefusal);
  const output = negotiate(request, info);
  const format = inputFormat(request);
  const bytes = await readBody(request);
  const options = readWriteOptions(info.query, "CreateOptions");
  const draft = decodeDraft(bytes, format, endpoint, { ...options, warn: warnings.add });
  const object = await createObject(writeCall(call, options), draft);
  return respondObject(201, transform(object, { type, output, query: info.query, now: now() }), output);
}

function refusal({ endpoint, info }: Call, message: string): StatusError {
  const { code, reason, details } = methodNotSupported(groupResourceOf(endpoint.type), info.verb);
  return new StatusError({ code, reason, message, ...(details && { details }) });
}
