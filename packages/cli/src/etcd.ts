#!/usr/bin/env node
/** The entry of `portcullis-etcd`. */
import { runEtcdStub } from "./commands/serve/serve-etcd-stub.ts";

process.exitCode = await runEtcdStub(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stdin: () => "",
  color: false,
});
