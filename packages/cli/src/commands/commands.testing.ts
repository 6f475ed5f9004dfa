/** Runs commands as a shell would, on files made for the test. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import type { Command, CommandIo } from "../frame/command.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `@/name` in an argument is a file of the folder; the folder's path is removed from the output. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  { folder = scratchFolder(), ...io }: Partial<CommandIo> & { readonly folder?: string } = {},
): Promise<Outcome> {
  writeFiles(folder, files);
  let stdout = "";
  let stderr = "";
  const code = await command.run(
    args.map((arg) => arg.replace(/@\//, `${folder}/`)),
    {
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
      stdin: () => files["-"] ?? "",
      color: false,
      ...io,
    },
  );
  const clean = (text: string): string => text.replaceAll(`${folder}/`, "");
  return { code, stdout: clean(stdout), stderr: clean(stderr) };
}

/** Creates the folders too. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
}

export const WIDGET_CRD = `apiVersion: apiextensions.k8s.io/v1
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
            properties:
              size: {type: integer, maximum: 10}
              mode: {type: string}
`;
