/** JSON and YAML as Kubernetes reads and writes them: duplicate keys, int64, positions. */
export { type DecodedDocument, decodeDocuments } from "./codec/documents.ts";
export { type Decoded, type DecodeFailure, decodeJson, encodeJson, type JsonDecodeOptions } from "./codec/json.ts";
export { type DuplicateKey, LineIndex, locatePath, type SourceNode } from "./codec/position.ts";
export { decodeYaml } from "./codec/yaml.ts";
