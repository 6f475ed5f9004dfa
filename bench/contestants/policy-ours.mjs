/**
 * Our side of the policy benchmark. The first input is `{policies, bindings, namespace, object}`; the output is the
 * verdict. Each further `{millis}` returns `{ns}`: CPU time of this process, all threads, per verdict.
 */
import { createInterface } from "node:readline";
import { loadBinding } from "@portcullis/engine/internal/policy/binding";
import { evaluatePolicies } from "@portcullis/engine/internal/policy/dispatch";
import { NO_PARAMS } from "@portcullis/engine/internal/policy/params";
import { loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { measure, reply } from "./protocol.mjs";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const ask = asker(JSON.parse((await lines.next()).value));
reply({ message: ask().error?.message ?? "" });
for await (const line of lines) {
  const { millis } = JSON.parse(line);
  reply({ ns: measure(ask, millis * 1000) });
}

function asker({ policies, bindings, namespace, object }) {
  const set = new PolicySet(
    policies.map((policy) => loadPolicy(fromPlain(policy))),
    bindings.map((binding) => loadBinding(fromPlain(binding))),
  );
  const [created, place] = [fromPlain(object), fromPlain(namespace)];
  const context = {
    namespace: (name) => (name === namespace.metadata.name ? place : undefined),
    params: NO_PARAMS,
    authorizer: { authorize: () => ({ decision: "noOpinion", reason: "", error: undefined }) },
  };
  const userInfo = { name: "alice", uid: "", groups: ["devs"], extra: new Map() };
  return () =>
    evaluatePolicies(
      set,
      {
        operation: "CREATE",
        resource: { group: "apps", version: "v1", resource: "deployments" },
        subresource: "",
        kind: { group: "apps", version: "v1", kind: "Deployment" },
        name: object.metadata.name,
        namespace: object.metadata.namespace,
        object: created,
        oldObject: undefined,
        options: undefined,
        dryRun: false,
        userInfo,
      },
      context,
    );
}
