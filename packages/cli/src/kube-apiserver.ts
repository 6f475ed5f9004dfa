#!/usr/bin/env node
/** The entry of `portcullis-kube-apiserver`. */
import { runKubeApiserver } from "./commands/serve/serve-kube-apiserver.ts";

runKubeApiserver(process.argv.slice(2), {
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  stdin: () => "",
  color: false,
}).then((code) => {
  process.exitCode = code;
});
