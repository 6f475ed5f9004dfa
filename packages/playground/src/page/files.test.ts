import { expect, test } from "vitest";
import { joinDocuments, sortFiles } from "./files.ts";

const crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n";
const pod = "apiVersion: v1\nkind: Pod\n";
const policy = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n";
const binding = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n";

test("the documents of a file go to the texts that they belong to", () => {
  const files = [{ name: "all.yaml", text: `# all\n---\n${crd}---\n${pod}` }];
  expect(sortFiles(files, "create")).toEqual({ definition: crd, object: pod });
});

test("in an upgrade the first CRD is the old one", () => {
  const files = [
    { name: "v1.yaml", text: crd },
    { name: "v2.yaml", text: `${crd}# new\n` },
  ];
  expect(sortFiles(files, "upgrade")).toEqual({ oldDefinition: crd, definition: `${crd}# new\n` });
});

test("in an update the first object is the old one, and further ones join the new one", () => {
  const files = ["1", "2", "3"].map((name) => ({ name: `${name}.yaml`, text: `${pod}# ${name}\n` }));
  expect(sortFiles(files, "update")).toEqual({
    old: `${pod}# 1\n`,
    object: joinDocuments([`${pod}# 2\n`, `${pod}# 3\n`]),
  });
});

test("policies and bindings are one text, and CRDs beside them are part of the cluster", () => {
  const files = [{ name: "p.yaml", text: `${policy}---\n${binding}---\n${crd}` }];
  expect(sortFiles(files, "policy")).toEqual({ policy: `${policy}---\n${binding}`, cluster: crd });
});

test("JSON is recognized", () => {
  const text = `{\n  "apiVersion": "v1",\n  "kind": "Pod"\n}`;
  expect(sortFiles([{ name: "pod.json", text }], "create")).toEqual({ object: `${text}\n` });
});

test("an expression is the text of the CEL mode", () => {
  expect(sortFiles([{ name: "a.cel", text: "1 + 1" }], "cel")).toEqual({ expression: "1 + 1\n" });
});
