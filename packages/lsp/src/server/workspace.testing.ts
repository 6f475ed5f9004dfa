/** A workspace with a CRD, an object of its kind, a policy and a suite. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { onTestFinished } from "vitest";
import type { LanguageServerOptions } from "../index.ts";
import { localServer, TestEditor } from "./editor.testing.ts";

export const CRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [size]
              x-kubernetes-validations:
                - rule: self.hosts.all(h, h.name.startsWith('a'))
                  message: names start with a
              properties:
                size:
                  type: integer
                  maximum: 10
                  description: How large it is.
                mode:
                  type: string
                  enum: [fast, slow]
                hosts:
                  type: array
                  maxItems: 10
                  items:
                    type: object
                    properties:
                      name:
                        type: string
                        maxLength: 20
                      port:
                        type: integer
`;

export const WIDGET = `apiVersion: example.com/v1
kind: Widget
metadata:
  name: one
spec:
  size: 3
  mode: fast
  hosts:
    - name: a.example.com
`;

export const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: small
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [example.com]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [widgets]
  variables:
    - name: hosts
      expression: object.spec.hosts
    - name: count
      expression: size(variables.hosts)
  validations:
    - expression: variables.count < 3 && variables.hosts.all(h, h.port > 0 || h.name != 'h')
      message: too many hosts
    - expression: "variables.count >= 0"
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: small
spec:
  policyName: small
  validationActions: [Deny]
`;

export const FILES = { "crds/widget.yaml": CRD, "deploy/widget.yaml": WIDGET };

export function writeWorkspace(files: Readonly<Record<string, string>>, root: string = scratchFolder()): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

/** Makes a commit of all files. */
export function commitAll(root: string): void {
  const git = (...args: readonly string[]): void => {
    execFileSync("git", [...args], { cwd: root, stdio: "ignore" });
  };
  git("init", "--quiet");
  git("add", "--all");
  git("-c", "user.name=test", "-c", "user.email=test@example.com", "commit", "--quiet", "--message", "all");
}

export interface StartOptions {
  readonly settings?: object;
  readonly root?: string;
  /** Whether to wait until all files have been read. */
  readonly waits?: boolean;
  readonly server?: LanguageServerOptions;
}

/** An editor with these files on disk, once the server knows them. */
export async function startEditor(
  files: Readonly<Record<string, string>>,
  { settings = {}, root = writeWorkspace(files), waits = true, server = {} }: StartOptions = {},
): Promise<TestEditor> {
  const { ended, ...streams } = localServer(server);
  const editor = new TestEditor(root, streams);
  onTestFinished(async () => {
    await editor.stop();
    await ended;
  });
  await editor.start(settings);
  if (waits) await editor.ready();
  return editor;
}
