import { describe, expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";

const PATH = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/** Made with openssl; the second asks for the group of administrators. */
const REQUESTS = {
  ecdsa:
    "MIHXMH8CAQAwHTEMMAoGA1UEAwwDZTJlMQ0wCwYDVQQKDARkZXZzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEDOpBg4wRQL4Y" +
    "x0aJW3TytOe1nyZZ7usWB4+LiPQ2tOH70diTyWySmsJ3O/j+3GZ0QtZlo05lrBRXfskj0H1DK6AAMAoGCCqGSM49BAMCA0gAMEUC" +
    "IQCX7F+1Ln9mbFRaeHMw/yBqJ4u0y3ykbutRuoMkR+UkwQIgNknqWikeCsUR/CkswXQCQu46N3wr00xLjG4lpU792HA=",
  masters:
    "MIHhMIGJAgEAMCcxDDAKBgNVBAMMA2UyZTEXMBUGA1UECgwOc3lzdGVtOm1hc3RlcnMwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC" +
    "AAQM6kGDjBFAvhjHRolbdPK057WfJlnu6xYHj4uI9Da04fvR2JPJbJKawnc7+P7cZnRC1mWjTmWsFFd+ySPQfUMroAAwCgYIKoZI" +
    "zj0EAwIDRwAwRAIgWmPtAo4oFo9OkxBo4V2JByT/08710SWWOhij/EMNW+ECIFdvBMPMhBiMIUPkKmKrE3tm8fav2y+zC9fPNge6" +
    "aYDf",
  rsa:
    "MIIBTTCBtwIBADAOMQwwCgYDVQQDDANyc2EwgZ8wDQYJKoZIhvcNAQEBBQADgY0AMIGJAoGBALgm0xcMG+WrR7S6SkQycA80hnm0" +
    "F4dpQucl+2n6850bPuTbKPO+2BBuNqZZBPzBhZvISxHQGtyw/xMsG3iHiwddOkGdHTHzrEVxjVrUb71onNZEPd5rwJtw67wZd1qN" +
    "7yx4jP3JoLGHG+u6T1DOkPb4PO1gwHX32Npbk33Z91c7AgMBAAGgADANBgkqhkiG9w0BAQsFAAOBgQCzENiuuOpC8ba3dk01z5Av" +
    "NMeMG1qtOmppFsCZesIfX/hf++X8sYokAPTS5Z2yte2poKqSqtGRAvGkXpim2z+tRcxO8oJcMdV2FzJ5XCfEJcWk2EN1jlbwWDzZ" +
    "8DITXIFQxAHcJ4xWALOLn3pmbM5OSFmU8zCkn/V2UcGXZT6TTg==",
  ed25519:
    "MIGMMEACAQAwDTELMAkGA1UEAwwCZWQwKjAFBgMrZXADIQDA31wD06PL6HA+EklqSJTB1epjoDafImaIq4pd2dsd4KAAMAUGAytl" +
    "cANBAA758o0BT+jr1ad1XX7jI8ZQbGSOaFhnzzyDpVmXT14ggy9D5dbVrM8LfExk7kr209LAT1HVY7vx7IvjAvxJSAg=",
};
const CERTIFICATE =
  "MIIBbzCCARWgAwIBAgIUdAiuE768mJbXK+bU7TD14hSTPSwwCgYIKoZIzj0EAwIwDTELMAkGA1UEAwwCY2EwHhcNMjYxMTE1MjAx" +
  "NzU0WhcNMzYxMTEyMjAxNzU0WjANMQswCQYDVQQDDAJjYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABAzqQYOMEUC+GMdGiVt0" +
  "8rTntZ8mWe7rFgePi4j0NrTh+9HYk8lskprCdzv4/txmdELWZaNOZawUV37JI9B9QyujUzBRMB0GA1UdDgQWBBShBAbqSPfqqx+F" +
  "4pb84ZBgCRFSPDAfBgNVHSMEGDAWgBShBAbqSPfqqx+F4pb84ZBgCRFSPDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA" +
  "MEUCICMvMfNfiHvAOu9CKuU9xozy2lIy+x0cz1ZSaXFdUvTAAiEA+21N1xCsbsDY56FYTXoWr1VUNnqwJw3EFaa7LmVrrVc=";

const pem = (label: string, base64: string): string => `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
const requestPem = (base64: string): string => pem("CERTIFICATE REQUEST", base64);
const CERTIFICATE_PEM = btoa(pem("CERTIFICATE", CERTIFICATE));

/** With a bit of the signature turned. */
function forged(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
  return btoa(String.fromCharCode(...bytes));
}

function csr(name: string, request: string, spec: Json = {}): Json {
  const plain = { request: btoa(request), signerName: "example.com/x", usages: ["client auth"] };
  return {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
    metadata: { name },
    spec: { ...plain, ...spec },
  };
}

const GOOD = requestPem(REQUESTS.ecdsa);

describe("a new request", () => {
  test.each(Object.entries(REQUESTS))("signed with %s is taken, and says who asked", async (_, base64) => {
    const client = await openClient();
    const { code, json } = await client.post(PATH, csr("a", requestPem(base64), { username: "eve", groups: ["x"] }));
    expect(code).toBe(201);
    expect(json.spec).toMatchObject({
      username: "admin",
      uid: "1",
      groups: ["system:masters", "system:authenticated"],
    });
    expect(json.status).toEqual({});
  });

  test.each([
    ["ecdsa", "x509: ECDSA verification failure"],
    ["rsa", "crypto/rsa: verification error"],
    ["ed25519", "x509: Ed25519 verification failure"],
  ] as const)("with a forged signature of %s is refused", async (kind, problem) => {
    const client = await openClient();
    const { code, json } = await client.post(PATH, csr("a", requestPem(forged(REQUESTS[kind]))));
    expect([code, json.details.causes]).toEqual([
      422,
      [{ reason: "FieldValueInvalid", field: "spec.request", message: expect.stringContaining(problem) }],
    ]);
  });

  test.each([
    ["no PEM", csr("a", "x"), 'spec.request: Invalid value: "eA==": PEM block type must be CERTIFICATE REQUEST'],
    ["cut off", csr("a", requestPem(REQUESTS.ecdsa.slice(0, 40))), "asn1: syntax error: data truncated"],
    ["an integer", csr("a", requestPem("AgEF")), "(16 vs {class:0 tag:2 length:1 isCompound:false})"],
    ["an empty list", csr("a", requestPem("MAA=")), "asn1: syntax error: sequence truncated"],
    ["no usages", csr("a", GOOD, { usages: [] }), "spec.usages: Required value"],
    ["usages twice", csr("a", GOOD, { usages: ["any", "any"] }), 'spec.usages[1]: Duplicate value: "any"'],
    [
      "an unknown usage",
      csr("a", GOOD, { usages: ["z"] }),
      'spec.usages[0]: Unsupported value: "z": supported values: "any"',
    ],
    ["no signer", csr("a", GOOD, { signerName: "" }), "spec.signerName: Required value"],
    ["a signer without a path", csr("a", GOOD, { signerName: "a.b" }), "of the form 'example.com/signer-name'"],
    ["a signer of one segment", csr("a", GOOD, { signerName: "a/b" }), "should be a domain with at least two segments"],
    [
      "a bad signer",
      csr("a", GOOD, { signerName: "a.b/C" }),
      'Invalid value: "C": validating label "C": a lowercase RFC 1123',
    ],
    [
      "the old signer",
      csr("a", GOOD, { signerName: "kubernetes.io/legacy-unknown" }),
      "the legacy signerName is not allowed",
    ],
    ["a short life", csr("a", GOOD, { expirationSeconds: 599 }), "may not specify a duration less than 600 seconds"],
  ])("with %s is refused", async (_, object, message) => {
    const client = await openClient();
    const { code, json } = await client.post(PATH, object);
    expect([code, json.message]).toEqual([422, expect.stringContaining(message)]);
  });

  test("may not request the privileged group", async () => {
    const client = await openClient();
    const signerName = "kubernetes.io/kube-apiserver-client";
    const { code, json } = await client.post(PATH, csr("a", requestPem(REQUESTS.masters), { signerName }));
    expect([code, json.message]).toEqual([
      403,
      `certificatesigningrequests.certificates.k8s.io "a" is forbidden: use of ${signerName} signer with system:masters group is not allowed`,
    ]);
  });
});

const condition = (type: string, status = "True"): Json => ({ type, status, reason: "r" });

/** Puts the object with its status changed through a subresource, and gives the status or the causes. */
async function put(client: Client, subresource: string, status: Json): Promise<Json> {
  const object = (await client.get(`${PATH}/a`)).json;
  const { code, json } = await client.put(`${PATH}/a${subresource}`, {
    ...object,
    status: { ...object.status, ...status },
  });
  return code === 200 ? json.status : json.details.causes.map((cause: Json) => `${cause.field}: ${cause.message}`);
}

describe("the subresources of a request", () => {
  async function open(): Promise<Client> {
    const client = await openClient();
    expect((await client.post(PATH, csr("a", GOOD))).code).toBe(201);
    return client;
  }

  test("an update changes only metadata", async () => {
    const client = await open();
    const change = {
      metadata: { labels: { a: "b" } },
      spec: { signerName: "b.c/d" },
      status: { conditions: [condition("A")] },
    };
    const { code, json } = await client.patch(`${PATH}/a`, change);
    expect([code, json.metadata.labels, json.spec.signerName, json.status]).toEqual([
      200,
      { a: "b" },
      "example.com/x",
      {},
    ]);
  });

  test("approval changes only conditions and sets their times", async () => {
    const client = await open();
    const now = "2026-01-02T03:04:05Z";
    expect(
      await put(client, "/approval", { conditions: [condition("Approved")], certificate: CERTIFICATE_PEM }),
    ).toEqual({
      conditions: [{ ...condition("Approved"), lastUpdateTime: now, lastTransitionTime: now }],
    });
    expect(await put(client, "/approval", { conditions: [] })).toEqual([
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ]);
  });

  test("approved and denied are mutually exclusive", async () => {
    const client = await open();
    expect(await put(client, "/approval", { conditions: [condition("Approved"), condition("Denied")] })).toEqual([
      'status.conditions: Invalid value: "Denied": Approved and Denied conditions are mutually exclusive',
    ]);
  });

  test.each([
    [
      "approve",
      { conditions: [condition("Approved")] },
      'status.conditions: Forbidden: updates may not add a condition of type "Approved"',
    ],
    [
      "half fail",
      { conditions: [condition("Failed", "False")] },
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
    ],
    [
      "say a thing twice",
      { conditions: [condition("A"), condition("A")] },
      'status.conditions[1].type: Duplicate value: "A"',
    ],
    [
      "hold no certificate",
      { certificate: btoa("x") },
      'status.certificate: Invalid value: "<certificate data>": must contain at least one CERTIFICATE PEM block',
    ],
    [
      "hold a request",
      { certificate: btoa(GOOD) },
      'status.certificate: Invalid value: "<certificate data>": only CERTIFICATE PEM blocks are allowed, found "CERTIFICATE REQUEST"',
    ],
    [
      "hold junk",
      { certificate: btoa(pem("CERTIFICATE", "AAAA")) },
      'status.certificate: Invalid value: "<certificate data>": x509: malformed certificate',
    ],
  ])("the status may not %s", async (_, status, problem) => {
    const client = await open();
    expect(await put(client, "/status", status)).toEqual([problem]);
  });

  test("the status gets a certificate once and keeps the approval", async () => {
    const client = await open();
    await put(client, "/approval", { conditions: [condition("Approved")] });
    const changed = [{ ...condition("Approved"), message: "changed" }, condition("Other")];
    const status = await put(client, "/status", { certificate: CERTIFICATE_PEM, conditions: changed });
    expect(status.certificate).toBe(CERTIFICATE_PEM);
    expect(status.conditions.map((each: Json) => [each.type, each.message])).toEqual([
      ["Approved", undefined],
      ["Other", undefined],
    ]);
    expect(await put(client, "/status", { certificate: btoa(pem("CERTIFICATE", CERTIFICATE).repeat(2)) })).toEqual([
      "status.certificate: Forbidden: updates may not modify existing certificate content",
    ]);
  });
});

describe("who may approve and sign", () => {
  const RBAC = "/apis/rbac.authorization.k8s.io/v1";

  /** Alice may write both subresources, and do with some signers what is given. */
  async function openFor(verbs: string[], resourceNames: string[]): Promise<Client> {
    const client = await openClient();
    const rules = [
      {
        apiGroups: ["certificates.k8s.io"],
        resources: ["certificatesigningrequests/approval", "certificatesigningrequests/status"],
        verbs: ["update", "patch"],
      },
      { apiGroups: ["certificates.k8s.io"], resources: ["signers"], verbs, resourceNames },
    ];
    await client.post(`${RBAC}/clusterroles`, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: { name: "r" },
      rules,
    });
    await client.post(`${RBAC}/clusterrolebindings`, {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: "b" },
      subjects: [{ kind: "User", name: "alice", apiGroup: "rbac.authorization.k8s.io" }],
      roleRef: { kind: "ClusterRole", name: "r", apiGroup: "rbac.authorization.k8s.io" },
    });
    await client.post(PATH, csr("a", GOOD));
    return client;
  }

  const approve = (client: Client) =>
    client.patch(`${PATH}/a/approval`, { status: { conditions: [condition("Approved")] } }, { token: "alice" });
  const sign = (client: Client) =>
    client.patch(`${PATH}/a/status`, { status: { certificate: CERTIFICATE_PEM } }, { token: "alice" });

  test.each([
    ["the signer", "example.com/x"],
    ["its domain", "example.com/*"],
  ])("permission for %s is sufficient", async (_, name) => {
    const client = await openFor(["approve", "sign"], [name]);
    expect([(await approve(client)).code, (await sign(client)).code]).toEqual([200, 200]);
  });

  test("a forbidden approval names the signer", async () => {
    const client = await openFor(["approve", "sign"], ["other.com/x"]);
    const refused = 'certificatesigningrequests.certificates.k8s.io "a" is forbidden: user not permitted to';
    expect((await approve(client)).json.message).toBe(`${refused} approve requests with signerName "example.com/x"`);
    expect((await sign(client)).json.message).toBe(`${refused} sign requests with signerName "example.com/x"`);
    const nothing = await client.patch(`${PATH}/a/status`, { metadata: { labels: { a: "b" } } }, { token: "alice" });
    expect(nothing.code).toBe(200);
  });
});
