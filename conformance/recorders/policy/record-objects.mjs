/** Creates and updates policies and bindings as dry runs and records the responses. */
import { inParallel } from "./live.mjs";
import { objectCases } from "./objects.mjs";

const BASE = "/apis/admissionregistration.k8s.io/v1";
const PLURALS = {
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings",
};

export async function recordObjects(server, only) {
  const cases = objectCases
    .filter(({ id }) => id.includes(only))
    .map((each, index) => JSON.parse(JSON.stringify(each).replaceAll("{{n}}", `o${index}`)));
  return inParallel(cases, 4, (each) => record(server, each));
}

async function record(server, each) {
  const path = `${BASE}/${PLURALS[each.object.kind]}`;
  const query = { dryRun: "All", fieldValidation: "Strict" };
  if (each.old === undefined) return answered(each, await server.request("POST", path, { body: each.object, query }));
  const stored = await server.must("POST", path, { body: each.old });
  const body = structuredClone(each.object);
  body.metadata.resourceVersion = stored.metadata.resourceVersion;
  const subresource = each.object.status === undefined ? "" : "/status";
  const found = await server.request("PUT", `${path}/${stored.metadata.name}${subresource}`, { body, query });
  await server.request("DELETE", `${path}/${stored.metadata.name}`);
  return answered(each, found);
}

function answered(each, { code, body, warnings }) {
  const expect =
    code < 300
      ? { code, spec: body.spec, warnings }
      : { code, reason: body.reason, message: body.message, causes: body.details?.causes ?? [], warnings };
  return { ...each, expect };
}
