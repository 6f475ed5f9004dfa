/** Request bodies: read within limits. */
import {
  bodyFormat,
  JSON_MEDIA_TYPE,
  PROTOBUF_MEDIA_TYPE,
  YAML_MEDIA_TYPE,
} from "@portcullis/engine/internal/codec/media-type";
import type { BodyFormat } from "@portcullis/engine/internal/review/decode";
import { requestEntityTooLarge, unsupportedMediaType } from "@portcullis/engine/internal/status/error";
import { type ApiRequest, BodyTooLarge } from "../http/exchange.ts";
import type { Call } from "./call.ts";
import * as messages from "./messages.ts";

const MAX_BODY = 3 * 1024 * 1024;

type BodyCall = Pick<Call, "request" | "bodyRead" | "weigh">;

const ACCEPTED = [JSON_MEDIA_TYPE, YAML_MEDIA_TYPE, PROTOBUF_MEDIA_TYPE];

/** Custom resources have no protobuf form. */
export function inputFormat(request: ApiRequest, isCustom: boolean): BodyFormat {
  const format = bodyFormat(request.header("content-type"));
  if (format === "json" || format === "yaml" || (format === "protobuf" && !isCustom)) return format;
  throw unsupportedMediaType(ACCEPTED);
}

export async function readBody({ request, bodyRead, weigh }: BodyCall): Promise<Uint8Array> {
  try {
    const bytes = await request.readBody(MAX_BODY);
    bodyRead(bytes.length);
    weigh(bytes.length);
    return bytes;
  } catch (error) {
    if (error instanceof BodyTooLarge) throw requestEntityTooLarge(messages.bodyLimit(MAX_BODY));
    throw error;
  }
}
