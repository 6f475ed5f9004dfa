/** Accounts may list the secrets that their pods may use. Follows plugin/pkg/admission/serviceaccount. */
import { parseBool } from "@portcullis/gostd/strconv";
import type { AdmissionRequest } from "../../review/cluster-view.ts";
import { bareError } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf, metaText } from "../../value/metadata.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";
import { refusal } from "../refusal.ts";

const ANNOTATION = "kubernetes.io/enforce-mountable-secrets";

/** Throws a StatusError for a pod that uses other secrets. */
export function checkSecretReferences(request: AdmissionRequest, pod: JsonObject, account: JsonObject): void {
  const annotation = parseBool(textOf(objectOf(metaOf(account)["annotations"])[ANNOTATION]));
  if (annotation.error !== undefined || !annotation.value) return;
  const spec = objectOf(pod["spec"]);
  if (request.endpoint.subresource !== undefined) {
    const problem = containerProblem(spec, "ephemeralContainers", "ephemeral container", account);
    // Upstream returns an error without a status here.
    if (problem !== undefined) throw bareError(problem);
    return;
  }
  const problem = podProblem(spec, account);
  if (problem !== undefined) throw refusal(request, problem);
}

function podProblem(spec: JsonObject, account: JsonObject): string | undefined {
  const allowed = namesIn(account, "secrets");
  for (const volume of objectsOf(spec["volumes"])) {
    const secret = textOf(objectOf(volume["secret"])["secretName"]);
    if (volume["secret"] !== undefined && !allowed.has(secret)) {
      return `volume with secret.secretName="${secret}" ${notAllowed(account)}`;
    }
  }
  const problem =
    containerProblem(spec, "initContainers", "init container", account) ??
    containerProblem(spec, "containers", "container", account);
  if (problem !== undefined) return problem;
  const pullable = namesIn(account, "imagePullSecrets");
  const pulled = objectsOf(spec["imagePullSecrets"]).map((each) => textOf(each["name"]));
  const at = pulled.findIndex((name) => !pullable.has(name));
  if (at < 0) return undefined;
  const reason = `is not allowed because service account ${metaText(account, "name")} does not reference that imagePullSecret`;
  return `imagePullSecrets[${at}].name="${pulled[at]}" ${reason}`;
}

function containerProblem(spec: JsonObject, key: string, label: string, account: JsonObject): string | undefined {
  const allowed = namesIn(account, "secrets");
  for (const container of objectsOf(spec[key])) {
    const place = `${label} ${textOf(container["name"])}`;
    for (const env of objectsOf(container["env"])) {
      const ref = objectOf(env["valueFrom"])["secretKeyRef"];
      const name = textOf(objectOf(ref)["name"]);
      if (ref === undefined || allowed.has(name)) continue;
      return `${place} with envVar ${textOf(env["name"])} referencing secret.secretName="${name}" ${notAllowed(account)}`;
    }
    for (const { secretRef } of objectsOf(container["envFrom"])) {
      const name = textOf(objectOf(secretRef)["name"]);
      if (secretRef === undefined || allowed.has(name)) continue;
      return `${place} with envFrom referencing secret.secretName="${name}" ${notAllowed(account)}`;
    }
  }
  return undefined;
}

function namesIn(account: JsonObject, key: string): ReadonlySet<string> {
  return new Set(objectsOf(account[key]).map((each) => textOf(each["name"])));
}

function notAllowed(account: JsonObject): string {
  return `is not allowed because service account ${metaText(account, "name")} does not reference that secret`;
}
