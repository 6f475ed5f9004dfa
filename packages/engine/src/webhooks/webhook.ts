/** One webhook of a configuration. Absent fields have the default value that the API server would store. */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { type Criteria, compileCriteria } from "../policy/match.ts";
import { readRule } from "../policy/match-resources.ts";
import { type NamedExpression, readNamed } from "../policy/policy.ts";
import { readSelector } from "../selector/read.ts";
import { isInteger, isObject, type JsonObject } from "../value/json.ts";
import { objectOf, objectsOf, optionalText, textOf, textsOf } from "../value/read.ts";

export interface AdmissionWebhook {
  /** `configuration/name/n`: the n-th webhook of that name in its configuration. */
  readonly uid: string;
  readonly configuration: string;
  readonly name: string;
  /** Rules, selectors and matchPolicy. */
  readonly criteria: Criteria;
  readonly matchConditions: readonly NamedExpression[];
  readonly failurePolicy: string | undefined;
  readonly sideEffects: string | undefined;
  readonly timeoutSeconds: number;
  readonly reviewVersions: readonly string[];
  /** For mutating webhooks. */
  readonly reinvocationPolicy: string | undefined;
  readonly client: WebhookClientConfig;
}

/** Where a webhook listens: exactly one of `url` and `service`. */
export interface WebhookClientConfig {
  readonly url: string | undefined;
  readonly service: WebhookService | undefined;
  /** The certificates to trust, in PEM; "" trusts those of the system. */
  readonly caBundle: string;
}

export interface WebhookService {
  readonly name: string;
  readonly namespace: string;
  readonly path: string;
  readonly port: number;
}

/** All webhooks of a ValidatingWebhookConfiguration or a MutatingWebhookConfiguration, in order. */
export function readWebhooks(configuration: JsonObject): AdmissionWebhook[] {
  const name = textOf(objectOf(configuration["metadata"])["name"]);
  const counts = new Map<string, number>();
  return objectsOf(configuration["webhooks"]).map((json) => {
    const own = textOf(json["name"]);
    const count = counts.get(own) ?? 0;
    counts.set(own, count + 1);
    return readWebhook(json, name, `${name}/${own}/${count}`);
  });
}

const DEFAULT_TIMEOUT_SECONDS = 10;

function readWebhook(json: JsonObject, configuration: string, uid: string): AdmissionWebhook {
  const { timeoutSeconds } = json;
  return {
    uid,
    configuration,
    name: textOf(json["name"]),
    criteria: compileCriteria({
      namespaceSelector: readSelector(objectOf(json["namespaceSelector"])),
      objectSelector: readSelector(objectOf(json["objectSelector"])),
      resourceRules: objectsOf(json["rules"]).map((rule) => ({ ...readRule(rule), resourceNames: [] })),
      excludeResourceRules: [],
      matchPolicy: optionalText(json["matchPolicy"]) ?? "Equivalent",
    }),
    matchConditions: objectsOf(json["matchConditions"]).map(readNamed),
    failurePolicy: optionalText(json["failurePolicy"]),
    sideEffects: optionalText(json["sideEffects"]),
    timeoutSeconds: isInteger(timeoutSeconds) ? Number(timeoutSeconds) : DEFAULT_TIMEOUT_SECONDS,
    reviewVersions: textsOf(json["admissionReviewVersions"]),
    reinvocationPolicy: optionalText(json["reinvocationPolicy"]),
    client: readClient(objectOf(json["clientConfig"])),
  };
}

const DEFAULT_PORT = 443;

function readClient({ url, service, caBundle }: JsonObject): WebhookClientConfig {
  const bundle = decodeBase64(textOf(caBundle));
  return {
    url: optionalText(url),
    service: isObject(service) ? readService(service) : undefined,
    caBundle: bundle.error === undefined ? decodeUtf8(bundle.value) : "",
  };
}

function readService({ name, namespace, path, port }: JsonObject): WebhookService {
  return {
    name: textOf(name),
    namespace: textOf(namespace),
    path: textOf(path),
    port: isInteger(port) ? Number(port) : DEFAULT_PORT,
  };
}

export function ignoresFailures({ failurePolicy }: AdmissionWebhook): boolean {
  return failurePolicy === "Ignore";
}
