import { expect, test } from "vitest";
import { openClient } from "../app/app.testing.ts";
import { parseTokenFile, tokenAuthenticator } from "../auth/authenticate.ts";
import { openTokenKey } from "../auth/token-key.ts";
import { type CallWebhook, WebhookUnreachable } from "../conversion/call-webhook.ts";
import { MemoryStore } from "../storage/memory.ts";
import { tokenWebhookAuthenticator } from "./token-webhook.ts";

const WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const connection = { url: "https://hooks.example.com/tokens" };
const MALLORY = {
  authenticated: true,
  user: { username: "mallory", uid: "7", groups: ["guests"], extra: { a: ["b"] } },
};

async function open(
  status: (token: string) => object,
  { version = "v1", ttl = 1000 }: { version?: "v1" | "v1beta1"; ttl?: number } = {},
) {
  const sent: string[] = [];
  const call: CallWebhook = async ({ url, body }) => {
    sent.push(`${url} ${body.trim()}`);
    const review = JSON.parse(body);
    const answer = JSON.stringify({ ...review, status: status(review.spec.token) });
    return { code: 200, contentType: "application/json", body: new TextEncoder().encode(answer) };
  };
  let now = 0;
  const context = { call, clock: () => now, audiences: ["https://api"], rules: { version: "1.36" as const } };
  const last = tokenWebhookAuthenticator({ connection, version, ttl }, context);
  const authenticators = [tokenAuthenticator(parseTokenFile('admin,admin,1,"system:masters"'))];
  const tokenKey = await openTokenKey(new MemoryStore());
  const api = await openClient({ authenticators, lastAuthenticators: [last], tokenKey });
  const who = (token: string) => api.post(WHO, {}, { token });
  return { api, sent, who, pass: (ms: number) => (now += ms) };
}

test("the webhook names the user of a token that nobody else knows", async () => {
  const { who, sent } = await open((token) => (token === "open-sesame" ? MALLORY : { authenticated: false }));
  const { json } = await who("open-sesame");
  expect(json.status.userInfo).toEqual({
    username: "mallory",
    uid: "7",
    groups: ["guests", "system:authenticated"],
    extra: { a: ["b"] },
  });
  expect(sent).toEqual([
    'https://hooks.example.com/tokens?timeout=30s {"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","metadata":{},"spec":{"token":"open-sesame","audiences":["https://api"]},"status":{"user":{}}}',
  ]);
  expect((await who("wrong")).code).toBe(401);
  expect((await who("admin")).json.status.userInfo.username).toBe("admin");
  expect(sent).toHaveLength(2);
});

test("answers are kept for their time", async () => {
  const { who, sent, pass } = await open(() => MALLORY, { version: "v1beta1" });
  await who("a");
  await who("a");
  expect(sent).toHaveLength(1);
  expect(sent[0]).toContain("authentication.k8s.io/v1beta1");
  pass(1001);
  await who("a");
  expect(sent).toHaveLength(2);
});

test.each([
  { audiences: ["https://api", "b"], code: 201 },
  { audiences: ["b"], code: 401 },
])("a token for $audiences is answered with $code", async ({ audiences, code }) => {
  const { who } = await open(() => ({ ...MALLORY, audiences }));
  expect((await who("a")).code).toBe(code);
});

test("a webhook that cannot be reached authenticates nobody", async () => {
  const { who } = await open(() => {
    throw new WebhookUnreachable("dial tcp 127.0.0.1:1: connect: connection refused");
  });
  expect((await who("a")).code).toBe(401);
});

test("tokens of service accounts are not sent to the webhook", async () => {
  const { api, sent } = await open(() => MALLORY);
  await api.post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "robot" } });
  const asked = await api.post("/api/v1/namespaces/default/serviceaccounts/robot/token", { spec: {} });
  const { json } = await api.post(WHO, {}, { token: asked.json.status.token });
  expect(json.status.userInfo.username).toBe("system:serviceaccount:default:robot");
  expect(sent).toEqual([]);
});
