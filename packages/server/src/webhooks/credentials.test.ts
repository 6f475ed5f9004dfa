import { expect, test } from "vitest";
import { credentialFor } from "./credentials.ts";

const users = new Map(
  ["hook.example.com:8443", "*.example.com", "hook.default.svc", "*"].map((name) => [name, { token: name }]),
);

test.each([
  { client: { url: "https://hook.example.com:8443/x" }, name: "hook.example.com:8443" },
  { client: { url: "https://other.example.com/x" }, name: "*.example.com" },
  { client: { url: "https://other.example.com:9443/x" }, name: "*" },
  { client: { service: { name: "hook", namespace: "default", port: 443, path: "" } }, name: "hook.default.svc" },
  { client: { service: { name: "hook", namespace: "default", port: 444, path: "" } }, name: "*" },
])("$client.url is called as $name", ({ client, name }) => {
  const { headers } = credentialFor({ users }, { url: undefined, service: undefined, ...client });
  expect(headers).toEqual({ authorization: `Bearer ${name}` });
});

test("without a pattern the user of the current context is taken, or none", () => {
  const client = { url: "https://a/", service: undefined };
  const basic = { basic: { username: "u", password: "p" }, impersonate: { user: "x", uid: "", groups: ["g"] } };
  const one = { users: new Map([["me", basic]]), current: "me" };
  expect(credentialFor(one, client).headers).toEqual({
    authorization: "Basic dTpw",
    "impersonate-user": "x",
    "impersonate-group": ["g"],
  });
  expect(credentialFor({ users: new Map() }, client)).toEqual({});
});
