import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import { expect, test } from "vitest";
import { readFile } from "../input/text.ts";
import type { Finding } from "../report/finding.ts";
import { Checker } from "./checker.ts";

const GATES = { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true };

async function findingsFor(text: string): Promise<readonly Finding[]> {
  const cluster = new MemoryCluster([], { engine: { version: "1.36", gates: GATES } });
  const checker = new Checker(cluster, { fieldValidation: "strict" });
  const [document] = readFile("f.yaml", text).documents;
  if (document === undefined) throw new Error("no document");
  return checker.check(document);
}

const place = ({ range, path, hint }: Finding) => `${range?.start.line}:${range?.start.column} ${path} ${hint ?? ""}`;

test("every value that does not fit its type is reported at its place, with the server's message", async () => {
  const found = await findingsFor(`apiVersion: v1
kind: Pod
metadata:
  name: p
  labels: {a: 1, b: fine, c: y}
spec:
  activeDeadlineSeconds: "5"
  containers:
  - name: c
    image: i
    env:
    - {name: A, value: 1.50}
    - {name: B, value: on}
    resources: {limits: {cpu: lots}}
`);
  expect(found.map(place)).toEqual([
    '5:15 metadata.labels[a] quote the number: "1"',
    '5:30 metadata.labels[c] `y` is a boolean in YAML; quote it: "y"',
    "7:26 spec.activeDeadlineSeconds remove the quotes: 5",
    '12:24 spec.containers[0].env[0].value quote the number: "1.50"',
    '13:24 spec.containers[0].env[1].value `on` is a boolean in YAML; quote it: "on"',
    "14:31 spec.containers[0].resources.limits[cpu] ",
  ]);
  expect(found[2]?.message).toBe(
    'Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
  );
  expect(found[5]?.message).toContain("quantities must match the regular expression");
});

test("unknown fields are reported beside values that do not fit", async () => {
  const found = await findingsFor(`apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec:
  replicas: "3"
  selector: {matchLabels: {app: d}}
  template:
    metadata: {labels: {app: d}}
    spec:
      containers:
      - {name: c, image: i, imagePullPolice: Always}
`);
  expect(found.map(place)).toEqual([
    "5:13 spec.replicas remove the quotes: 3",
    "11:29 spec.template.spec.containers[0].imagePullPolice did you mean `imagePullPolicy`?",
  ]);
});

test("base64, times and int-or-string values are found", async () => {
  const secret = await findingsFor("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: b2s=\n  b: '!'\n");
  expect(secret.map(place)).toEqual([
    "6:6 data[b] the value must be base64; a Secret takes plain text in `stringData`",
  ]);
  const service = await findingsFor(
    "apiVersion: v1\nkind: Service\nmetadata: {name: s, creationTimestamp: today}\nspec:\n  ports:\n  - {port: 1, targetPort: [80]}\n",
  );
  expect(service.map(place)).toEqual(["3:40 metadata.creationTimestamp ", "6:27 spec.ports[0].targetPort "]);
});
