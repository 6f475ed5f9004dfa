import { beforeEach, expect, test } from "vitest";
import { type Client, NOW, openClient } from "../app/app.testing.ts";
import { MemoryStore } from "../storage/memory.ts";
import { issueSecretToken } from "./secret-tokens.ts";
import { base64Url, openTokenKey, type TokenKey } from "./token-key.ts";

const ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
const SECRETS = "/api/v1/namespaces/default/secrets";
const AUTHENTICATION = "/apis/authentication.k8s.io/v1";
const CLAIMS = "kubernetes.io/serviceaccount/";

let api: Client;
let key: TokenKey;
let uid: string;
let lines: string[];

beforeEach(async () => {
  key = await openTokenKey(new MemoryStore());
  lines = [];
  api = await openClient({ tokenKey: key, audit: { write: (line) => void lines.push(line) }, controllers: [] });
  uid = (await api.post(ACCOUNTS, { metadata: { name: "robot" } })).json.metadata.uid;
});

const issue = (): Promise<string> =>
  issueSecretToken(key, { namespace: "default", name: "robot", uid, secret: "robot-token" });

/** The token with other claims, signed again. */
async function altered(claims: object, header: object = {}): Promise<string> {
  const [head = "", body = ""] = (await issue()).split(".");
  const encode = (part: string, extra: object): string =>
    base64Url(new TextEncoder().encode(JSON.stringify({ ...JSON.parse(atob(part)), ...extra })));
  const text = `${encode(head, header)}.${encode(body, claims)}`;
  return `${text}.${base64Url(await key.sign(text))}`;
}

async function store(token: string, labels: object = {}): Promise<void> {
  const annotations = { "kubernetes.io/service-account.name": "robot" };
  await api.post(SECRETS, {
    metadata: { name: "robot-token", annotations, labels, finalizers: ["example.com/hold"] },
    type: "kubernetes.io/service-account-token",
    data: { token: btoa(token) },
  });
}

const review = async (token: string, audiences?: string[]) =>
  (await api.post(`${AUTHENTICATION}/tokenreviews`, { spec: { token, audiences } })).json.status;
const whoAmI = (token: string) => api.post(`${AUTHENTICATION}/selfsubjectreviews`, {}, { token });
const labels = async () => (await api.get(`${SECRETS}/robot-token`)).json.metadata.labels;

const USER = {
  username: "system:serviceaccount:default:robot",
  groups: ["system:serviceaccounts", "system:serviceaccounts:default", "system:authenticated"],
};

test("a token in a Secret authenticates its ServiceAccount, and the Secret is marked as used", async () => {
  const token = await issue();
  await store(token);
  const { code, json, warnings } = await whoAmI(token);
  expect([code, json.status.userInfo, warnings]).toEqual([201, { ...USER, uid }, ""]);
  expect(await review(token)).toEqual({
    authenticated: true,
    user: { ...USER, uid },
    audiences: ["https://kubernetes.default.svc"],
  });
  expect(await labels()).toEqual({ "kubernetes.io/legacy-token-last-used": "2026-01-02" });
  const event = lines
    .map((line) => JSON.parse(line))
    .find(({ requestURI }) => requestURI.endsWith("selfsubjectreviews"));
  expect(event.annotations).toMatchObject({
    "authentication.k8s.io/legacy-token": USER.username,
    "authentication.k8s.io/legacy-token-manual-secret": "robot-token",
  });
  const { text } = await api.get("/metrics");
  expect(text).toContain("serviceaccount_legacy_tokens_total 2\n");
  expect(text).toContain("serviceaccount_legacy_manual_token_uses_total 2\n");
});

test("a token in a Secret that the ServiceAccount lists is accepted with a warning", async () => {
  const token = await issue();
  await store(token, { "kubernetes.io/legacy-token-last-used": "2026-01-03" });
  await api.patch(`${ACCOUNTS}/robot`, { secrets: [{ name: "robot-token" }] });
  const { code, warnings } = await whoAmI(token);
  expect([code, warnings]).toEqual([
    201,
    '299 - "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens."',
  ]);
  expect(await labels()).toEqual({ "kubernetes.io/legacy-token-last-used": "2026-01-03" });
});

test("a token in a Secret that is marked as invalid is refused, and its use is noted", async () => {
  const token = await issue();
  await store(token, { "kubernetes.io/legacy-token-invalid-since": "2026-01-01" });
  expect((await whoAmI(token)).code).toBe(401);
  expect((await review(token)).error).toMatch(
    /^\[invalid bearer token, the token in secret default\/robot-token for service account default\/robot has been marked invalid\. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the 'kubernetes.io\/legacy-token-invalid-since' label /,
  );
  expect(await labels()).toHaveProperty(["kubernetes.io/legacy-token-last-used"], "2026-01-02");
  expect((await api.get("/metrics")).text).toContain("serviceaccount_invalid_legacy_auto_token_uses_total 2\n");
});

// biome-ignore format: a table
test.each([
  { name: "without a subject",             claims: { sub: undefined },                        error: "sub claim is missing" },
  { name: "without a namespace",           claims: { [`${CLAIMS}namespace`]: "" },            error: "namespace claim is missing" },
  { name: "without a Secret",              claims: { [`${CLAIMS}secret.name`]: null },        error: "secretName claim is missing" },
  { name: "without an account",            claims: { [`${CLAIMS}service-account.name`]: "" }, error: "serviceAccountName claim is missing" },
  { name: "without a uid",                 claims: { [`${CLAIMS}service-account.uid`]: "" },  error: "serviceAccountUID claim is missing" },
  { name: "of another subject",            claims: { sub: "system:serviceaccount:default:x" }, error: "sub claim is invalid" },
  { name: "with a number for a namespace", claims: { [`${CLAIMS}namespace`]: 1 },             error: "json: cannot unmarshal number into Go value of type string" },
  { name: "with a text for a time",        claims: { exp: "x" },                              error: "go-jose/go-jose/jwt: expected number value to unmarshal NumericDate" },
  { name: "for others",                    claims: { aud: ["x"] },                            error: 'token audiences ["x"] is invalid for the target audiences ["https://kubernetes.default.svc"]' },
  { name: "with a number as audience",     claims: { aud: 1 },                                error: "go-jose/go-jose/jwt: expected string or array value to unmarshal to Audience" },
])("a token in a Secret $name is refused", async ({ claims, error }) => {
  const token = await altered(claims);
  await store(token);
  expect(await review(token)).toEqual({ user: {}, error: `[invalid bearer token, ${error}]` });
  expect((await whoAmI(token)).code).toBe(401);
});

test("a token in a Secret does not expire, and may name this server as its audience", async () => {
  const token = await altered({ exp: 1, nbf: NOW, aud: "https://kubernetes.default.svc" });
  await store(token);
  expect((await whoAmI(token)).code).toBe(201);
  expect(await review(token, ["vault"])).toMatchObject({
    error:
      '[invalid bearer token, token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["vault"]]',
  });
});

test("a token of another key, or with a wrong signature, is refused", async () => {
  const unknown = await altered({}, { kid: "other" });
  expect((await review(unknown)).error).toBe("[invalid bearer token, invalid signature, no keys found]");
  const forged = (await issue()).replace(/\.[^.]{6}([^.]*)$/, ".AAAAAA$1");
  expect((await review(forged)).error).toBe(
    "[invalid bearer token, go-jose/go-jose: error in cryptographic primitive]",
  );
});

test("a token is refused once its Secret is deleted or contains another", async () => {
  const token = await issue();
  const invalidated = "[invalid bearer token, Token has been invalidated]";
  expect((await review(token)).error).toBe(invalidated);
  await store(token);
  expect((await review(await altered({ x: 1 }))).error).toBe(
    "[invalid bearer token, Token does not match server's copy]",
  );
  expect((await review(token)).authenticated).toBe(true);
  await api.delete(`${SECRETS}/robot-token`);
  expect((await review(token)).error).toBe(invalidated);
});

test("a token in a Secret is refused once its ServiceAccount is deleted", async () => {
  const token = await issue();
  await store(token);
  await api.patch(`${ACCOUNTS}/robot`, { metadata: { finalizers: ["example.com/hold"] } });
  await api.delete(`${ACCOUNTS}/robot`);
  expect((await review(token)).error).toBe("[invalid bearer token, ServiceAccount default/robot has been deleted]");
  await api.patch(`${ACCOUNTS}/robot`, { metadata: { finalizers: null } });
  expect((await review(token)).error).toBe('[invalid bearer token, serviceaccounts "robot" not found]');
  const again = (await api.post(ACCOUNTS, { metadata: { name: "robot" } })).json.metadata.uid;
  expect((await review(token)).error).toBe(
    `[invalid bearer token, ServiceAccount UID (${again}) does not match claim (${uid})]`,
  );
});
