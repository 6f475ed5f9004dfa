/** `portcullis check`: what the API server would say to these objects, created or updated. */
import { unknownFieldUnescaped } from "@portcullis/engine/codec/messages";
import type { FieldError } from "@portcullis/engine/field/error";
import { formatFieldError } from "@portcullis/engine/field/format";
import { SERVER_VERSION } from "@portcullis/engine/kubecel";
import { decodeResource } from "@portcullis/engine/pipeline/coerce";
import type { CustomResource, EngineOptions } from "@portcullis/engine/pipeline/custom-resource";
import { prepareCreate, prepareUpdate } from "@portcullis/engine/pipeline/prepare";
import { type ValidationResult, validateCreate, validateUpdate } from "@portcullis/engine/pipeline/validate";
import { StatusError, statusBody } from "@portcullis/engine/status/error";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import { type ManifestDocument, readInputs } from "../input/documents.ts";
import { buildReport, findingAt } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { buildCatalog, type Catalog, isDefinition } from "./catalog.ts";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import { explainForgiven, explainKept } from "./explain-ratcheting.ts";
import { lintDefinition } from "./lint.ts";
import { parseOptions, readFormat, readVersion } from "./options.ts";
import { showReport } from "./show.ts";

const HELP = `portcullis check PATH… [options]

Checks custom resources against the definitions among the inputs, as kube-apiserver would on create,
and the definitions themselves. With --old, objects that exist there too are checked as updates:
values that the update does not touch are forgiven, and the report says which and why.

  portcullis check deploy/ crds/
  portcullis check deploy/ crds/ --old live/
  kubectl get widgets -o yaml | portcullis check - crds/

  PATH                    a file, a folder (all .yaml, .yml and .json below it) or - for standard input
  --old PATH              the objects as they are now; repeatable
  --kube-version VERSION  behave as this version (default ${SERVER_VERSION})
  --field-validation HOW  unknown and duplicate fields: strict (default), warn or ignore
  --feature-gates A=B,…   CRDValidationRatcheting and CRDPropertyNameSchemas, both true by default
  --allow-empty           no objects at all is not an error
  -o, --output FORMAT     text (default) or json

Exit codes: 0 nothing found, 1 findings, 2 usage or unreadable input, 3 internal error.
Nothing is sent anywhere.
`;

export const check: Command = {
  name: "check",
  summary: "check objects against the definitions among the inputs",
  help: HELP,
  run: runCheck,
};

const OPTIONS = {
  old: { type: "string", multiple: true },
  "kube-version": { type: "string" },
  "field-validation": { type: "string" },
  "feature-gates": { type: "string" },
  "allow-empty": { type: "boolean" },
  output: { type: "string", short: "o" },
} as const;

function runCheck(args: readonly string[], io: CommandIo): number {
  const options = parseOptions(args, OPTIONS);
  if (options.positionals.length === 0) throw new UsageError("check needs at least one path; `-` is standard input");
  const format = readFormat(options.text("output") ?? "text");
  const engine = engineOptions(options.text("kube-version"), options.text("feature-gates"));
  const fieldValidation = readFieldValidation(options.text("field-validation") ?? "strict");
  const inputs = readInputs(options.positionals, io.stdin);
  const old = readInputs(options.texts("old"), io.stdin);
  if (inputs.documents.length === 0 && inputs.problems.length === 0 && !options.flag("allow-empty")) {
    io.stderr("portcullis: no objects found; --allow-empty accepts that\n");
    return EXIT.usage;
  }
  const catalog = buildCatalog(inputs.documents, engine);
  const checker = new Checker(catalog, engine, fieldValidation, old.documents);
  const findings = inputs.documents.flatMap((document) => checker.check(document));
  return showReport(
    buildReport({
      command: "check",
      findings: [...inputs.problems, ...old.problems, ...findings],
      files: inputs.files,
      objects: inputs.documents.length,
      withoutSchema: checker.withoutSchema,
    }),
    format,
    io,
  );
}

type FieldValidationMode = "strict" | "warn" | "ignore";

function readFieldValidation(text: string): FieldValidationMode {
  const mode = (["strict", "warn", "ignore"] as const).find((each) => each === text.toLowerCase());
  if (mode === undefined) throw new UsageError(`unknown field validation \`${text}\`; one of strict, warn, ignore`);
  return mode;
}

export function engineOptions(version: string | undefined, gates: string | undefined): EngineOptions {
  const enabled = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };
  for (const pair of (gates ?? "").split(",").filter((each) => each !== "")) {
    const [name = "", value] = pair.split("=");
    if (!isGate(name, enabled) || (value !== "true" && value !== "false")) {
      throw new UsageError(
        `unknown feature gate \`${pair}\`; one of ${Object.keys(enabled).join(", ")} with =true or =false`,
      );
    }
    enabled[name] = value === "true";
  }
  return { version: readVersion(version ?? SERVER_VERSION), gates: enabled };
}

function isGate<T extends object>(name: string, gates: T): name is keyof T & string {
  return Object.hasOwn(gates, name);
}

class Checker {
  withoutSchema = 0;
  readonly #catalog: Catalog;
  readonly #engine: EngineOptions;
  readonly #fieldValidation: FieldValidationMode;
  readonly #old: ReadonlyMap<string, ManifestDocument>;

  constructor(
    catalog: Catalog,
    engine: EngineOptions,
    fieldValidation: FieldValidationMode,
    old: readonly ManifestDocument[],
  ) {
    this.#catalog = catalog;
    this.#engine = engine;
    this.#fieldValidation = fieldValidation;
    this.#old = new Map(old.map((document) => [pairKey(document), document]));
  }

  check(document: ManifestDocument): Finding[] {
    const old = this.#old.get(pairKey(document));
    if (isDefinition(document)) return lintDefinition(document, old, this.#engine);
    const { apiVersion, kind } = document.id;
    const resource = this.#catalog.find(apiVersion, kind);
    if (resource !== undefined) return this.#checkResource(document, old, resource);
    this.withoutSchema++;
    return [missingSchema(document)];
  }

  #checkResource(document: ManifestDocument, old: ManifestDocument | undefined, resource: CustomResource): Finding[] {
    const draft = decodeResource(document.object, resource, { trackUnknown: this.#fieldValidation !== "ignore" });
    if (draft.error !== undefined)
      return [findingAt(document, { rule: "decode", severity: "error", message: draft.error })];
    const fields = this.#fieldFindings(document, draft.unknown);
    try {
      return [...fields, ...reviewObject(document, draft.object, old, resource)];
    } catch (refusal) {
      if (!(refusal instanceof StatusError)) throw refusal;
      const message = String(statusBody(refusal)["message"]);
      return [...fields, findingAt(document, { rule: "request", severity: "error", message })];
    }
  }

  #fieldFindings(document: ManifestDocument, unknown: readonly string[]): Finding[] {
    if (this.#fieldValidation === "ignore") return [];
    const severity = this.#fieldValidation === "strict" ? "error" : "warning";
    return [
      ...document.strictErrors.map((message) =>
        findingAt(document, { rule: "field/duplicate", severity, message, path: quotedPath(message) }),
      ),
      ...unknown.map((path) =>
        findingAt(document, { rule: "field/unknown", severity, message: unknownFieldUnescaped(path), path }),
      ),
    ];
  }
}

/** Objects are paired by kind, namespace and name; another version of the same group is the same object. */
function pairKey({ id }: ManifestDocument): string {
  const group = id.apiVersion.includes("/") ? id.apiVersion.slice(0, id.apiVersion.indexOf("/")) : "";
  return [group, id.kind, id.namespace, id.name].join("\0");
}

function quotedPath(message: string): string {
  return /"(.*)"/.exec(message)?.[1] ?? "";
}

function missingSchema(document: ManifestDocument): Finding {
  const { apiVersion, kind } = document.id;
  return findingAt(document, {
    rule: "schema/not-found",
    severity: "warning",
    message: `no definition of ${kind || "an unnamed kind"} in ${apiVersion || "an unnamed version"} among the inputs`,
    hint: "name the file or folder with its CustomResourceDefinition as another PATH",
  });
}

const SYSTEM = {
  uid: () => "00000000-0000-0000-0000-000000000000",
  now: () => "1970-01-01T00:00:00Z",
  suffix: () => "xxxxx",
};

function reviewObject(
  document: ManifestDocument,
  draft: JsonObject,
  old: ManifestDocument | undefined,
  resource: CustomResource,
): Finding[] {
  const namespace = document.id.namespace || "default";
  if (old === undefined) {
    return toFindings(document, validateCreate(prepareCreate(draft, resource, namespace, SYSTEM), resource));
  }
  const live = decodeResource(old.object, resource, { fromStorage: true });
  if (live.error !== undefined) return [findingAt(old, { rule: "decode", severity: "error", message: live.error })];
  const stored = withSystemFields(live.object, resource, namespace);
  const next = prepareUpdate(withVersion(draft), stored, resource, namespace);
  return toFindings(document, validateUpdate(next, stored, resource));
}

/** A manifest has no resourceVersion; as the object of an update it is taken to be current. */
function withVersion(object: JsonObject): JsonObject {
  const meta = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return withMember(object, "metadata", withMember(meta, "resourceVersion", "1"));
}

function withSystemFields(object: JsonObject, resource: CustomResource, namespace: string): JsonObject {
  const versioned = withVersion(object);
  const meta = versioned["metadata"];
  if (!isObject(meta) || !resource.namespaced || meta["namespace"] !== undefined) return versioned;
  return withMember(versioned, "metadata", withMember(meta, "namespace", namespace));
}

function toFindings(document: ManifestDocument, result: ValidationResult): Finding[] {
  const reasons = new Map(result.ratcheting?.kept.map(({ error, reason }) => [error, explainKept(reason)]));
  const errors = result.errors.map((error) =>
    findingAt(document, {
      rule: ruleOf(error),
      severity: "error",
      path: error.path.toString(),
      message: formatFieldError(error),
      hint: reasons.get(error),
    }),
  );
  const forgiven = (result.ratcheting?.forgiven ?? []).map((each) =>
    findingAt(document, {
      rule: ruleOf(each.error),
      severity: "note",
      path: each.error.path.toString(),
      message: formatFieldError(each.error),
      hint: explainForgiven(each),
    }),
  );
  return [...errors, ...forgiven];
}

function ruleOf({ origin }: FieldError): string {
  if (origin === "rule" || origin === "rules" || origin === "budget") return `cel/${origin}`;
  return origin === "" ? "validation" : `schema/${origin}`;
}
