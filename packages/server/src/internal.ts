/** For the other packages of this repository; may change in any release. */
export { isKnownPlugin, selectPlugins } from "./app/plugin-names.ts";
export { CONTROLLER_NAMES, enabledControllers } from "./controllers/controller-names.ts";
export { openAuthorizationFile, readAbacFile } from "./node/authorization-file.ts";
export { readConnection, readUser } from "./node/kubeconfig.ts";
export { openManifests } from "./node/manifest-directory.ts";
export { writePrivate } from "./node/private-files.ts";
export { checkSqliteStore, type StoreReport } from "./node/stores.ts";
export { readTokenKey } from "./node/token-key-file.ts";
export type { Exporter as TraceExporter, ExporterOptions as TraceExporterOptions } from "./node/tracing/exporter.ts";
export { openTracing } from "./node/tracing/open.ts";
