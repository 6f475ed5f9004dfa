/** How admission plugins refuse a write. */
import type { AdmissionRequest } from "../review/cluster-view.ts";
import { groupResourceOf } from "../review/kind.ts";
import { forbidden, type StatusError } from "../status/error.ts";
import { metaText } from "../value/metadata.ts";

/** In the validating step the name has been generated, before it only its beginning is known. */
export function refusal({ endpoint, name, object }: AdmissionRequest, cause: string): StatusError {
  const known = name === "" && object !== undefined ? metaText(object, "generateName") : name;
  return forbidden(groupResourceOf(endpoint.type), known === "" ? "Unknown" : known, cause);
}
