/** Answers: objects and refusals as bytes. The only place where a StatusError becomes a response. */
import { answerJson } from "@portcullis/engine/internal/builtin/answers/answer-json";
import { encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { PROTOBUF_MEDIA_TYPE } from "@portcullis/engine/internal/codec/media-type";
import { StatusError, statusBody } from "@portcullis/engine/internal/status/error";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { copyObject } from "@portcullis/engine/internal/value/rewrite";
import { quote } from "@portcullis/gostd/quote";
import type { ApiResponse, HeaderList } from "../http/exchange.ts";
import { prettyJson } from "./format/pretty.ts";
import { yamlText } from "./format/yaml-text.ts";
import { errorBody } from "./list-expired.ts";
import type { Output } from "./negotiate.ts";
import { RequestTimedOut } from "./request-time.ts";

export const COMMON_HEADERS: HeaderList = [["Cache-Control", "no-cache, private"]];

export function respondObject(status: number, object: JsonObject, output: Output): ApiResponse {
  const bytes = output.format === "protobuf" ? encodeProtobuf(object) : undefined;
  if (bytes !== undefined) {
    return { status, headers: [...COMMON_HEADERS, ["Content-Type", PROTOBUF_MEDIA_TYPE]], body: bytes };
  }
  return respondEncoded(status, encode(object, output), output);
}

/** A text in JSON or YAML. */
export function respondEncoded(status: number, body: ApiResponse["body"], { format }: Output): ApiResponse {
  const type = format === "yaml" ? "application/yaml" : "application/json";
  return { status, headers: [...COMMON_HEADERS, ["Content-Type", type]], body };
}

/** Text that has been made already. */
export function respondJson(status: number, text: string): ApiResponse {
  return { status, headers: [...COMMON_HEADERS, ["Content-Type", "application/json"]], body: `${text}\n` };
}

/** As Go's encoder writes it; indented text has no line feed at its end. */
export function encode(value: JsonValue, { format, isPretty }: Output): string {
  if (format === "yaml") return yamlText(value);
  const text = answerJson(value);
  return isPretty ? prettyJson(text) : `${text}\n`;
}

export function respondText(status: number, text: string, headers: HeaderList = []): ApiResponse {
  const type = ["Content-Type", "text/plain; charset=utf-8"] as const;
  return { status, headers: [...COMMON_HEADERS, type, ["X-Content-Type-Options", "nosniff"], ...headers], body: text };
}

/** The response of Go's mux for an unknown path. */
export function respondNoPage(): ApiResponse {
  return respondText(404, "404 page not found\n");
}

/** A failure before the request reached its handler: upstream answers with text. */
export class InternalText extends StatusError {
  constructor(target: string, reason: string) {
    const message = `Internal Server Error: ${quote(target)}: ${reason}`.replace(
      /[&<>]/g,
      (char) => HTML[char] ?? char,
    );
    super({ code: 500, reason: "", message });
  }
}

const HTML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

export function respondError(error: unknown, output: Output | undefined): ApiResponse {
  const status = toStatus(error);
  if (status instanceof RequestTimedOut) return respondTimedOut(status);
  if (status instanceof InternalText) return respondText(status.code, `${status.message}\n`);
  const after = status.details?.retryAfterSeconds;
  const response = respondObject(status.code, errorBody(status), output ?? { ...PLAIN, isPretty: true });
  if (after === undefined || after === 0) return response;
  return { ...response, headers: [...response.headers, ["Retry-After", String(after)]] };
}

function respondTimedOut(status: RequestTimedOut): ApiResponse {
  const body = copyObject(statusBody(status));
  delete body["kind"];
  delete body["apiVersion"];
  const type = ["Content-Type", "text/plain; charset=utf-8"] as const;
  return { status: status.code, headers: [...COMMON_HEADERS, type], body: `${answerJson(body)}\n` };
}

export const PLAIN: Output = { format: "json", isPretty: false, convert: undefined };

/** Anything that is not a refusal is a defect of ours: a 500 without a reason, as upstream has it. */
function toStatus(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StatusError({ code: 500, reason: "", message });
}
