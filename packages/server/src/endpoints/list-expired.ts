/** A page that can no longer be served as it was; the response has a token that continues with the current state. */
import { StatusError, statusBody } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";

export class ListExpired extends StatusError {
  readonly continueToken: string;

  constructor(message: string, continueToken: string) {
    super({ code: 410, reason: "Expired", message });
    this.continueToken = continueToken;
  }
}

export function errorBody(error: StatusError): JsonObject {
  const body = statusBody(error);
  return error instanceof ListExpired
    ? withMember(body, "metadata", objectOf({ continue: error.continueToken }))
    : body;
}
