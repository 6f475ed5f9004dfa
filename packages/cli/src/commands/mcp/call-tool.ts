/** Runs the command behind a tool and gives its output. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { type CommandIo, EXIT } from "../../frame/command.ts";
import { fileProblem, isFileProblem } from "../../frame/file-problem.ts";
import { Sources } from "./sources.ts";
import { TOOLS, type Tool } from "./tools.ts";

export interface ToolResult {
  readonly text: string;
  /** The tool could not answer. Findings are an answer. */
  readonly isError: boolean;
}

type Given = Readonly<Record<string, unknown>>;

export async function callTool(name: string, given: Given, root: string): Promise<ToolResult> {
  const tool = TOOLS.find((each) => each.name === name);
  if (tool === undefined) return { text: `unknown tool ${name}`, isError: true };
  const sources = new Sources(root);
  try {
    return await runTool(tool, given, sources);
  } catch (problem) {
    if (problem instanceof UsageError) return { text: problem.message, isError: true };
    if (isFileProblem(problem)) return { text: fileProblem(problem), isError: true };
    return { text: problem instanceof Error ? problem.message : String(problem), isError: true };
  } finally {
    sources.close();
  }
}

async function runTool(tool: Tool, given: Given, sources: Sources): Promise<ToolResult> {
  const known = [...Object.keys(tool.sources), ...Object.keys(tool.values ?? {})];
  const unknown = Object.keys(given).find((each) => !known.includes(each));
  if (unknown !== undefined) throw new UsageError(`unknown argument ${unknown}; known are ${known.join(", ")}`);
  const missing = tool.required.find((each) => given[each] === undefined);
  if (missing !== undefined) throw new UsageError(`${missing} is required`);
  const paths: Record<string, string> = {};
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (name in tool.sources) paths[name] = sources.pathOf(value, name);
    else if (typeof value === "string") values[name] = value;
    else throw new UsageError(`${name} must be a text`);
  }
  const output = { stdout: "", stderr: "" };
  const io: CommandIo = {
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    stdin: () => "",
    color: false,
  };
  const code = await (await tool.load()).run(tool.args({ paths, values }), io);
  if (code === EXIT.ok || code === EXIT.findings) return { text: output.stdout, isError: false };
  return { text: output.stderr || output.stdout, isError: true };
}
