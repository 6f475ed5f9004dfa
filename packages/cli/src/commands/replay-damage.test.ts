/** Lines that are not whole: what they may have changed is doubted until it is observed again, and nothing else is. */
import { describe, expect, test } from "vitest";
import { runCommand } from "./commands.testing.ts";
import { type EventParts, event, type Line, map } from "./replay.testing.ts";
import { replay } from "./replay.ts";

const apiVersion = "admissionregistration.k8s.io/v1";
const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["configmaps"] };
const POLICIES = [
  {
    apiVersion,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "keeps" },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.data.tier == oldObject.data.tier" }],
    },
  },
  {
    apiVersion,
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "keeps" },
    spec: { policyName: "keeps", validationActions: ["Deny"] },
  },
];

const URI = "/api/v1/namespaces/team/configmaps";

/** As `event`, with the path that it is about. */
function line({ path = "", ...parts }: EventParts & { path?: string }): string {
  return event(parts).replace(`"requestURI":"${URI}`, `"requestURI":"${URI}${path}`);
}

const create = line({ id: "create", at: 10, request: map(1, { tier: "1" }), response: map(1, { tier: "1" }) });
const other = line({ id: "other", at: 15, ref: { name: "n" }, request: map(2, {}), response: map(2, {}) });
const change = line({ id: "change", verb: "update", at: 20, path: "/m", request: map(1, { tier: "2" }) });
const again = line({ id: "again", verb: "patch", at: 30, path: "/m", request: {}, response: map(9, { tier: "1" }) });
const later = line({ id: "later", verb: "update", at: 40, path: "/m", request: map(9, { tier: "2" }) });

async function decided(log: readonly string[], more: readonly string[] = []): Promise<Record<string, Line>> {
  const given = JSON.stringify({ apiVersion: "v1", kind: "List", items: POLICIES });
  const files = { "audit.log": log.map((each) => `${each}\n`).join(""), "given.json": given };
  const args = ["@/audit.log", "-p", "@/given.json", ...more, "-o", "jsonl"];
  const { stdout } = await runCommand(replay, args, files);
  const lines = stdout.split("\n").filter((each) => each !== "");
  return Object.fromEntries(lines.map((each): Line => JSON.parse(each)).map((each) => [each.auditID, each]));
}

/** A line that ends after a text. */
function cutAfter(whole: string, text: string): string {
  return whole.slice(0, whole.indexOf(text) + text.length);
}

const update = line({ id: "cut", verb: "update", at: 16, path: "/m", request: map(5, {}), response: map(5, {}) });
const elsewhere = update
  .replace(`${URI}/m`, "/api/v1/namespaces/other/configmaps/m")
  .replace('"namespace":"team","name":"m"', '"namespace":"other","name":"m"');

describe("a line that is cut", () => {
  test("hides nothing if it is about another namespace", async () => {
    const found = await decided([create, cutAfter(elsewhere, "configmaps/m"), other, change]);
    expect(found["change"]).toMatchObject({ decision: "denied", denied: ["keeps"] });
  });

  test("hides nothing if it is the beginning of a request, or a read", async () => {
    const begun = cutAfter(update.replace("ResponseComplete", "RequestReceived"), '"verb":"upd');
    const read = cutAfter(update.replace('"verb":"update"', '"verb":"list"'), '"verb":"list",');
    const found = await decided([create, begun, read, other, change]);
    expect(found["change"]).toMatchObject({ decision: "denied" });
  });

  test.each([
    { name: "after the path", text: "configmaps/m" },
    { name: "within the path", text: "team/config" },
    { name: "before the path", text: "ResponseComplete" },
    { name: "at once", text: '{"kind' },
  ])("makes an object uncertain that it may be about: $name", async ({ text }) => {
    const against = text.length > "configmaps/m".length || text === '{"kind' ? ["--against", "@/given.json"] : [];
    const found = await decided([create, cutAfter(update, text), other, change], against);
    expect(found["change"]?.decision).toBe("unknown");
    expect(found["change"]?.why).toMatch(/the line .*audit\.log:2 is damaged, and may be about a change of it/);
  });

  test("counts no more once the object is observed again", async () => {
    const found = await decided([create, cutAfter(update, "configmaps/m"), other, again, later]);
    expect(found["again"]?.decision).toBe("unknown");
    expect(found["later"]).toMatchObject({ decision: "denied" });
  });

  test("may have changed policies if it does not say what it is about", async () => {
    const found = await decided([create, cutAfter(update, "ResponseComplete"), other, again, later]);
    expect(found["later"]).toMatchObject({ decision: "unknown" });
    expect(found["later"]?.why).toContain("is damaged");
  });

  test("changed nothing if its request was refused", async () => {
    const refused = update.replace('"code":200', '"code":409');
    const found = await decided([create, cutAfter(refused, '"code":409}'), other, change]);
    expect(found["change"]).toMatchObject({ decision: "denied" });
  });

  test("is whole in another file", async () => {
    const files = { "a.log": `${create}\n${cutAfter(update, '"verb":"update",')}`, "b.log": `${update}\n${later}\n` };
    const given = JSON.stringify({ apiVersion: "v1", kind: "List", items: POLICIES });
    const args = ["@/a.log", "@/b.log", "-p", "@/given.json", "-o", "jsonl"];
    const { stdout } = await runCommand(replay, args, { ...files, "given.json": given });
    expect(stdout.match(/"auditID":"cut"/g)).toHaveLength(1);
    expect(stdout).not.toContain("the line is cut");
  });
});

test("a server that was killed while it wrote continues on the same line", async () => {
  const found = await decided([`${create}`, `${cutAfter(elsewhere, '"requestObject":{"kind"')}${other}`, change]);
  expect(found["other"]).toMatchObject({ decision: "allowed" });
  expect(found["cut"]).toEqual({ auditID: "cut", decision: "unknown", why: "the line is cut" });
  expect(found["change"]).toMatchObject({ decision: "denied" });
});

test("lines of other programs change nothing", async () => {
  const found = await decided([create, "I1119 15:00:00.000000 1 server.go:9] started", other, change]);
  expect(found["change"]).toMatchObject({ decision: "denied" });
});

describe("what shows whether an object exists", () => {
  const missing = 'configmaps "m" not found';

  test("a write that does not find it", async () => {
    const lost = line({ id: "lost", verb: "patch", at: 15, path: "/m", code: 404, message: missing, request: {} });
    const query = "/m?fieldManager=f";
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" }, data: { tier: "2" } };
    const message = "configmaps is forbidden: exceeded quota: q";
    const applied = line({ id: "apply", verb: "patch", at: 20, path: query, code: 403, message, request: body });
    const found = await decided([create, lost, applied], ["--against", "@/given.json"]);
    // It would create the object, which the policy is not about.
    expect(found["apply"]).toMatchObject({ decision: "denied", why: expect.stringContaining("as recorded") });
  });

  test("a read that shows it", async () => {
    const read = line({ id: "read", verb: "get", at: 15, path: "/m", response: map(7, { tier: "2" }) });
    const put = line({ id: "put", verb: "update", at: 20, path: "/m", request: map(7, { tier: "2" }) });
    expect((await decided([create, read, put]))["put"]).toMatchObject({ decision: "allowed" });
  });
});
