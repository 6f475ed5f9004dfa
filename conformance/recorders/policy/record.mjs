/**
 * Records the policy corpus from a dedicated live kube-apiserver (its policies apply to all requests).
 *
 *     node record.mjs --server URL --audit-log FILE [--token T] requests|objects [--only TEXT]
 *     node record.mjs typecheck | (cd ../../oracle && go run ./policy) > ../../corpora/policy/typecheck.jsonl
 *
 * The server must be freshly started: once the last policy with params of a built-in kind is gone, upstream never finds
 * params of that kind again. It needs RBAC, a token of a `system:masters` user named `admin`, and an audit log at level
 * Metadata. Needed only to record again, never to run the tests.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Server } from "./live.mjs";
import { recordObjects } from "./record-objects.mjs";
import { recordRequests } from "./record-requests.mjs";
import { typecheckCases } from "./typecheck.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    server: { type: "string", default: "https://127.0.0.1:6443" },
    "audit-log": { type: "string", default: "audit.log" },
    token: { type: "string", default: "admintoken" },
    only: { type: "string", default: "" },
  },
});
const corpus = fileURLToPath(new URL("../../corpora/policy/", import.meta.url));
const lines = (cases) => cases.map((each) => `${JSON.stringify(each)}\n`).join("");
const server = () =>
  new Server({
    url: values.server,
    tokens: { admin: values.token },
    auditLog: values["audit-log"],
  });

switch (positionals[0]) {
  case "requests":
    writeFileSync(`${corpus}requests.jsonl`, lines(await recordRequests(server(), values.only)));
    break;
  case "objects":
    writeFileSync(`${corpus}objects.jsonl`, lines(await recordObjects(server(), values.only)));
    break;
  case "typecheck":
    process.stdout.write(lines(typecheckCases));
    break;
  default:
    throw new Error("say what to record: requests, objects or typecheck");
}
