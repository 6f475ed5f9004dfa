import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { expect, test } from "vitest";
import { runCommand } from "./commands.testing.ts";
import { webhook } from "./webhook.ts";

test.each([
  { name: "an invalid port", args: ["--port", "x"], says: "--port must be a number from 0 to 65535" },
  { name: "a timeout that API servers refuse", args: ["--timeout-seconds", "31"], says: "from 1 to 30" },
  { name: "a URL without TLS", args: ["--kubeconfig", "@/config", "--url", "http://a"], says: "is not an https URL" },
  {
    name: "a certificate without its key",
    args: ["--kubeconfig", "@/config", "--tls-cert-file", "x"],
    says: "--tls-cert-file and --tls-private-key-file must be used together",
  },
  { name: "neither a kubeconfig nor a pod", args: [], says: "not in a cluster" },
  { name: "a file that is not a kubeconfig", args: ["--kubeconfig", "@/empty"], says: "not a kubeconfig" },
])("$name is refused", async ({ args, says }) => {
  const files = { config: KUBECONFIG, empty: "[]" };
  const run = runCommand(webhook, args, files);
  await expect(run).rejects.toThrow(UsageError);
  await expect(run).rejects.toThrow(says);
});

const KUBECONFIG = `
current-context: a
contexts: [{name: a, context: {cluster: a, user: a}}]
clusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]
users: []
`;
