/** The same inputs put to the command line: its files, its words, its exit code. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { cel } from "portcullis/internal/commands/cel";
import { check } from "portcullis/internal/commands/check";
import { crdDiff } from "portcullis/internal/commands/crd/crd-diff";
import { policyDiff } from "portcullis/internal/commands/policy/policy-diff";
import { policyEval } from "portcullis/internal/commands/policy/policy-eval";
import type { Command } from "portcullis/internal/frame/command";
import { fieldInfo, MODE_INFO } from "../modes.ts";
import { isRecord, type State } from "../state.ts";

export interface CommandLineAnswer {
  /** Exit code 0. */
  readonly isAccepted: boolean;
  /** What each finding says, of those modes that have findings; sorted. */
  readonly findings: readonly string[] | undefined;
  /** What is printed, of the others. */
  readonly output: string | undefined;
}

export async function askCommandLine(state: State): Promise<CommandLineAnswer> {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-playground-"));
  const before = process.cwd();
  try {
    mkdirSync(folder, { recursive: true });
    for (const field of MODE_INFO[state.mode].fields) {
      writeFileSync(path.join(folder, fieldInfo(field, state.mode).file), state.texts[field] ?? "");
    }
    process.chdir(folder);
    return await ask(state);
  } finally {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  }
}

async function ask(state: State): Promise<CommandLineAnswer> {
  const version = ["--kube-version", state.version];
  switch (state.mode) {
    case "create":
    case "update": {
      const old = state.mode === "update" ? ["--old", "old.yaml"] : [];
      const fields = ["--field-validation", state.fieldValidation];
      return findings(
        await run(check, ["definition.yaml", "object.yaml", ...old, ...fields, ...version, "-o", "json"]),
      );
    }
    case "upgrade":
      return findings(await run(crdDiff, ["old-definition.yaml", "definition.yaml", ...version, "-o", "json"]));
    case "policy":
      return printed(await run(policyEval, ["policy.yaml", "cluster.yaml", ...requestFlags(state), ...version]));
    case "proof":
      return printed(await run(policyDiff, ["old-policy.yaml", "policy.yaml", "--with", "cluster.yaml", ...version]));
    case "cel":
      return printed(await run(cel, [(state.texts.expression ?? "").trimEnd(), ...variableFlags(state), ...version]));
  }
}

function requestFlags({ texts }: State): string[] {
  const request = plain(texts.request ?? "");
  const text = (flag: string, key: string): string[] =>
    typeof request[key] === "string" ? [`--${flag}`, request[key]] : [];
  const groups = Array.isArray(request["groups"]) ? request["groups"] : [];
  return [
    ...["--object", "object.yaml"],
    ...((texts.old ?? "") === "" ? [] : ["--old", "old.yaml"]),
    ...text("operation", "operation"),
    ...text("as", "user"),
    ...groups.flatMap((group) => ["--as-group", String(group)]),
  ];
}

function variableFlags({ texts }: State): string[] {
  return Object.entries(plain(texts.variables ?? "")).flatMap(([name, value]) => [
    "--var",
    `${name}:=${JSON.stringify(value)}`,
  ]);
}

function plain(text: string): Readonly<Record<string, unknown>> {
  const decoded = decodeYaml(text);
  if (decoded.error !== undefined) throw new Error(decoded.error);
  const value = toPlain(decoded.value);
  return isRecord(value) ? value : {};
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
}

async function run(command: Command, args: readonly string[]): Promise<Ran> {
  let stdout = "";
  const io = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: () => undefined,
    stdin: () => "",
    color: false,
  };
  try {
    return { code: await command.run(args, io), stdout };
  } catch (problem) {
    if (!(problem instanceof UsageError)) throw problem;
    return { code: 2, stdout: `${problem.message}\n` };
  }
}

function findings({ code, stdout }: Ran): CommandLineAnswer {
  const report: unknown = JSON.parse(stdout);
  const listed = isRecord(report) && Array.isArray(report["findings"]) ? report["findings"].filter(isRecord) : [];
  const lines = listed.map(({ severity, rule, message }) => `${severity} ${rule} ${message}`);
  return { isAccepted: code === 0, findings: lines.sort(), output: undefined };
}

function printed({ code, stdout }: Ran): CommandLineAnswer {
  return { isAccepted: code === 0, findings: undefined, output: stdout.trimEnd() };
}
