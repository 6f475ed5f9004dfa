/** What the patch algorithms say. Clients see little of it: most failures of a JSON patch get one fixed text. */
import { quote } from "@portcullis/gostd/quote";

export const MAX_OPERATIONS = 10_000;
/** How much copy operations may add, in bytes of JSON. */
export const MAX_COPIED = 3 * 1024 * 1024;

export const notAPatch = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type jsonpatch.Patch`;
export const notAnOperation = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type jsonpatch.Operation`;
export const tooManyOperations = (count: number): string =>
  `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${count}`;
export const badMergePatch = (): string => "Invalid JSON Patch";
export const decodingPatch = (error: string): string => `error decoding patch: ${error}`;
export const inJsonPatch = (finding: string): string => `json patch ${finding}`;
export const unknownOperationField = (path: string): string => `unknown field ${quote(path)}`;
