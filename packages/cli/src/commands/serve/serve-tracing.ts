/**
 * `--tracing-config-file` of kube-apiserver: where traces of requests go, and how many requests are traced.
 *
 * Follows apiserver pkg/server/options/tracing.go and component-base tracing/api/v1. Errors have upstream's messages.
 */
import { type FieldError, invalid } from "@portcullis/engine/internal/field/error";
import { formatFieldErrors } from "@portcullis/engine/internal/field/format";
import { newPath } from "@portcullis/engine/internal/field/path";
import { quote } from "@portcullis/gostd/quote";
import { openTracing, type TraceExporter, type TraceExporterOptions } from "@portcullis/server/internal";
import { checkFields, checkKind, readDocument } from "./serve-admission.ts";

const VERSIONS = ["v1", "v1beta1", "v1alpha1"].map((version) => `apiserver.config.k8s.io/${version}`);
const MOST = 1_000_000;

/** Undefined without a file. Throws an Error with upstream's message. */
export async function openTracingFile(file: string | undefined): Promise<TraceExporter | undefined> {
  return file === undefined ? undefined : openTracing(readTracing(file));
}

export function readTracing(file: string): TraceExporterOptions {
  const json = readDocument(
    file,
    (problem) => `failed to read tracing config: unable to read tracing configuration from ${quote(file)}: ${problem}`,
  );
  const prefix = "failed to read tracing config: unable to decode tracing configuration data: ";
  checkKind(json, "TracingConfiguration", VERSIONS, prefix);
  checkFields(json, ["apiVersion", "kind", "endpoint", "samplingRatePerMillion"], prefix);
  const { endpoint, samplingRatePerMillion } = json;
  const options: TraceExporterOptions = {
    endpoint: typeof endpoint === "string" ? endpoint : undefined,
    samplingRatePerMillion: typeof samplingRatePerMillion === "number" ? samplingRatePerMillion : undefined,
  };
  const errors = validate(options);
  if (errors.length > 0) throw new Error(`failed to validate tracing configuration: ${formatFieldErrors(errors)}`);
  return options;
}

function validate({ endpoint, samplingRatePerMillion: rate = 0 }: TraceExporterOptions): FieldError[] {
  const at = newPath("samplingRatePerMillion");
  const errors: FieldError[] = [];
  if (rate < 0) errors.push(invalid(at, rate, "sampling rate must be positive"));
  if (rate > MOST)
    errors.push(invalid(at, rate, "sampling rate per million must be less than or equal to one million"));
  const [, scheme] = /^([^/:]*):?\/\//.exec(endpoint ?? "") ?? [];
  if (endpoint !== undefined && scheme !== undefined && !SCHEMES.includes(scheme)) {
    errors.push(invalid(newPath("endpoint"), endpoint, unsupportedScheme(scheme)));
  }
  return errors;
}

const SCHEMES = ["dns", "unix", "unix-abstract"];

const unsupportedScheme = (scheme: string): string =>
  `unsupported scheme: ${scheme}.  Options are none, dns, unix, or unix-abstract.  ` +
  "See https://github.com/grpc/grpc/blob/master/doc/naming.md";
