/** `portcullis mcp`: the answers of the command line as tools for agents, over the Model Context Protocol. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { VERSION } from "@portcullis/checker/internal/output/version";
import { type Command, type CommandIo, EXIT, type Manual } from "../../frame/command.ts";
import { parseOptions } from "../../frame/options.ts";
import { callTool } from "./call-tool.ts";
import { inputSchema, TOOLS } from "./tools.ts";

const OPTIONS = {
  root: { type: "string", value: "DIR", text: "the folder whose files tools may read; the current folder by default" },
} as const;

const MANUAL: Manual = {
  usage: ["mcp [options]"],
  about: [
    "Serves the tools check, explain, crd_diff, crd_lint, crd_cost, crd_sample, policy_diff, policy_prove and policy_gaps over the Model Context Protocol, on standard input and output. Arguments are texts or paths; results are the JSON that the commands print.",
    "Tools write nothing, read no file outside --root and do not contact a cluster.",
  ],
  examples: [{ does: "serve the tools for the files of a repository", run: "portcullis mcp --root ." }],
  options: OPTIONS,
  exits: [
    ["0", "the client has closed the connection"],
    ["2", "usage error"],
  ],
};

export const mcp: Command = {
  name: "mcp",
  summary: "serve these commands as tools for agents",
  manual: MANUAL,
  run: runMcp,
};

async function runMcp(args: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(args, OPTIONS);
  const server = createMcpServer(options.text("root") ?? process.cwd());
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.on("end", resolve);
    io.signal?.addEventListener("abort", () => resolve());
  });
  await server.connect(transport);
  await closed;
  await server.close();
  return EXIT.ok;
}

/** Answers for the files below a folder. */
export function createMcpServer(root: string): Server {
  const server = new Server({ name: "portcullis", version: VERSION }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((tool) => ({
      name: tool.name,
      description: tool.description,
      inputSchema: inputSchema(tool),
      annotations: { readOnlyHint: true, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const { text, isError } = await callTool(params.name, params.arguments ?? {}, root);
    return { content: [{ type: "text", text }], isError };
  });
  return server;
}
