/**
 * What is asked of requests for certificates beyond their form: a genuine signature, and who may approve or sign for a
 * signer. Follows kubernetes plugin/pkg/admission/certificates.
 */
import { type ParsedRequest, parseCertificateRequest } from "@portcullis/engine/internal/field/certificate-request";
import { invalid as invalidField } from "@portcullis/engine/internal/field/error";
import { newPath } from "@portcullis/engine/internal/field/path";
import { MASTERS } from "@portcullis/engine/internal/rbac/user";
import type { AdmissionPlugin, AdmissionRequest } from "@portcullis/engine/internal/review/cluster-view";
import { groupResourceOf } from "@portcullis/engine/internal/review/kind";
import { CERTIFICATES_GROUP, REQUESTS } from "@portcullis/engine/internal/review/kinds/certificate-request";
import { forbidden, invalid } from "@portcullis/engine/internal/status/error";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { decodeBase64 } from "@portcullis/gostd/base64";
import * as messages from "./messages.ts";
import { signatureProblem } from "./signature.ts";

const CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";

/** In upstream's order; the first is part of validation there. */
export const certificateAdmission: readonly AdmissionPlugin[] = [
  on("CREATE", "", checkSignature),
  { ...on("UPDATE", "approval", checkApproval), name: "CertificateApproval" },
  { ...on("UPDATE", "status", checkSigning), name: "CertificateSigning" },
  { ...on("CREATE", "", checkSubject), name: "CertificateSubjectRestriction" },
];

/** A bundle for a signer comes from those who may attest for it. Only where the feature is on. */
export const trustBundleAdmission: AdmissionPlugin = {
  name: "ClusterTrustBundleAttest",
  validate: async (request) => {
    const { endpoint, operation, object, old } = request;
    const isBundle = endpoint.type.group === CERTIFICATES_GROUP && endpoint.type.plural === "clustertrustbundles";
    const signer = textOf(specOf(object)["signerName"]);
    if (!isBundle || object === undefined || signer === "") return;
    if (operation === "UPDATE" && old !== undefined && isUpkeep(object, old)) return;
    if (!(await mayDo(request, "attest", signer))) throw refusal(request, messages.mayNotAttest(signer));
  },
};

const UPKEEP = ["ownerReferences", "finalizers", "managedFields"];

/** Whether only what the garbage collector changes is different. */
function isUpkeep(object: JsonObject, old: JsonObject): boolean {
  const before = metaOf(old);
  const kept = Object.fromEntries(UPKEEP.map((key) => [key, before[key]]));
  return deepEqual(withMeta(object, kept), old);
}

function on(
  operation: AdmissionRequest["operation"],
  subresource: string,
  check: (request: AdmissionRequest) => Promise<void>,
): AdmissionPlugin {
  return {
    validate: async (request) => {
      const { type } = request.endpoint;
      const isCsr = type.group === CERTIFICATES_GROUP && type.plural === REQUESTS;
      if (isCsr && request.operation === operation && (request.endpoint.subresource?.name ?? "") === subresource)
        await check(request);
    },
  };
}

async function checkSignature({ object, endpoint, name }: AdmissionRequest): Promise<void> {
  const parsed = requestOf(object);
  const problem = "error" in parsed ? parsed.error : await signatureProblem(parsed);
  if (problem === undefined) return;
  const { group, kind } = endpoint.type;
  const value = textOf(specOf(object)["request"]);
  throw invalid({ group, kind }, name, [invalidField(newPath("spec", "request"), value, problem)]);
}

function requestOf(object: JsonObject | undefined): ParsedRequest {
  return parseCertificateRequest(decodeBase64(textOf(specOf(object)["request"])).value ?? new Uint8Array());
}

/** The old object counts, so that changing the signer does not bypass the check. */
async function checkApproval(request: AdmissionRequest): Promise<void> {
  const signer = textOf(specOf(request.old)["signerName"]);
  if (!(await mayDo(request, "approve", signer))) throw refusal(request, messages.mayNotApprove(signer));
}

async function checkSigning(request: AdmissionRequest): Promise<void> {
  const [status, before] = [request.object, request.old].map((each) => memberOf(each, "status"));
  const isSame = ["certificate", "conditions"].every((key) => deepEqual(status?.[key] ?? null, before?.[key] ?? null));
  const signer = textOf(specOf(request.old)["signerName"]);
  if (!isSame && !(await mayDo(request, "sign", signer))) throw refusal(request, messages.mayNotSign(signer));
}

async function checkSubject(request: AdmissionRequest): Promise<void> {
  if (specOf(request.object)["signerName"] !== CLIENT_SIGNER) return;
  const parsed = requestOf(request.object);
  const isMaster = !("error" in parsed) && parsed.organizations.includes(MASTERS);
  if (isMaster) throw refusal(request, messages.mastersNotAllowed(CLIENT_SIGNER));
}

/** For the signer itself, or for all of its domain. */
async function mayDo({ cluster, user }: AdmissionRequest, verb: string, signer: string): Promise<boolean> {
  const about = { user, verb, isResource: true, path: "", group: CERTIFICATES_GROUP, version: "*" };
  for (const name of [signer, `${signer.split("/")[0]}/*`]) {
    const target = { ...about, resource: "signers", subresource: "", namespace: "", name };
    if ((await cluster.authorizer(target)).verdict === "allow") return true;
  }
  return false;
}

function refusal({ endpoint, name }: AdmissionRequest, cause: string): Error {
  return forbidden(groupResourceOf(endpoint.type), name, cause);
}

function specOf(object: JsonObject | undefined): JsonObject {
  return memberOf(object, "spec");
}

function memberOf(object: JsonObject | undefined, key: string): JsonObject {
  const member = object?.[key];
  return isObject(member) ? member : newObject();
}
