"use strict";
const { pathToFileURL } = require("node:url");

module.exports = (script) => {
  import(pathToFileURL(script).href).catch((problem) => {
    process.stderr.write(`portcullis: ${problem instanceof Error ? problem.stack : problem}\n`);
    process.exit(3);
  });
};
