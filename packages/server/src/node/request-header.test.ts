import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, startServer } from "./start.ts";
import { type Authority, type Certificate, createAuthority } from "./tls.ts";

const SELF = "/apis/authentication.k8s.io/v1/selfsubjectreviews";

let server: RunningServer;
let proxies: Authority;
let clients: Authority;

beforeAll(async () => {
  [proxies, clients] = await Promise.all([createAuthority(Date.now()), createAuthority(Date.now())]);
  server = await startServer({
    clientCa: clients.cert,
    requestHeaders: {
      ca: proxies.cert,
      allowedNames: ["front"],
      usernames: ["X-Remote-User"],
      uids: ["X-Remote-Uid"],
      groups: ["X-Remote-Group"],
      extraPrefixes: ["X-Remote-Extra-"],
    },
  });
});

afterAll(() => server.stop());

const headers = {
  "x-remote-user": "joe",
  "x-remote-uid": "7",
  "x-remote-group": ["a", "b"],
  "x-remote-extra-example.com%2Fx": "1",
};

/** Who the server thinks is asking; a number where it refuses. */
function whoAmI(identity: Partial<Certificate>, sent: typeof headers | object = headers) {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", ca: server.ca, ...identity, agent: false } as const;
    const all = { "content-type": "application/json", ...sent };
    const outgoing = request(`${server.url}${SELF}`, { ...options, headers: all }, (answer) => {
      let text = "";
      answer.on("data", (chunk) => (text += chunk));
      answer.on("end", () => resolve(answer.statusCode === 201 ? JSON.parse(text).status.userInfo : answer.statusCode));
    });
    outgoing.on("error", reject);
    outgoing.end('{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}');
  });
}

test("a trusted proxy names the user", async () => {
  const front = await proxies.issue({ commonName: "front" });
  expect(await whoAmI(front)).toEqual({
    username: "joe",
    uid: "7",
    groups: ["a", "b", "system:authenticated"],
    extra: { "example.com/x": ["1"] },
  });
});

test("headers of a proxy with another name, of a client, and of anybody are not believed", async () => {
  expect(await whoAmI(await proxies.issue({ commonName: "other" }))).toBe(401);
  expect(await whoAmI(await clients.issue({ commonName: "jane" }))).toMatchObject({ username: "jane" });
  expect(await whoAmI({})).toBe(403);
});

test("a proxy is not a client", async () => {
  const front = await proxies.issue({ commonName: "front" });
  expect(await whoAmI(front, {})).toBe(401);
});

test("a certificate of an unknown authority is refused, unless a token says who asks", async () => {
  const stranger = await (await createAuthority(Date.now())).issue({ commonName: "front" });
  expect(await whoAmI(stranger)).toBe(401);
  expect(await whoAmI(stranger, { authorization: `Bearer ${server.token}` })).toMatchObject({ username: "admin" });
});
