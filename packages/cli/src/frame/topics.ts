/** `portcullis help TOPIC`: what several commands have in common. */
import type { Row } from "./command.ts";
import type { Page } from "./help.ts";

export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly write: (page: Page) => void;
}

export const TOPICS: readonly Topic[] = [
  { name: "inputs", summary: "files, folders, patterns, standard input", write: inputs },
  { name: "outputs", summary: "report formats, and how to write several at once", write: outputs },
  { name: "exit-codes", summary: "what 0, 1, 2 and 3 mean", write: exitCodes },
  { name: "baselines", summary: "accept existing findings and fail on new ones", write: baselines },
  { name: "suppressions", summary: "accept a single finding in the file", write: suppressions },
  { name: "versions", summary: "check with several Kubernetes versions", write: versions },
  { name: "ci", summary: "GitHub, pre-commit, containers, other pipelines", write: pipelines },
];

export function findTopic(name: string): Topic | undefined {
  return TOPICS.find((topic) => topic.name === name);
}

function inputs(page: Page): void {
  page.heading("INPUTS");
  const rows: Row[] = [
    ["FILE", "YAML with any number of documents, or JSON; a List is replaced by its items"],
    [
      "FOLDER",
      "all .yaml, .yml and .json files in it and its subfolders, sorted by name, without node_modules and folders that start with a dot",
    ],
    ["PATTERN", "quoted, such as 'deploy/**/*.yaml' or 'apps/{a,b}/*.yml'"],
    ["-", "standard input; --stdin-filename sets its name in findings"],
    ["git:REF:PATH", "the file or folder in a commit"],
    ["ARCHIVE", "a .tar, .tar.gz, .tgz or .zip file: as the folder that it was made from"],
    [
      "URL",
      "https://…: a file or an archive. The lock file (portcullis.lock, or --lock) holds its digest; --update-lock writes it. Locked downloads are kept in $XDG_CACHE_HOME/portcullis or ~/.cache/portcullis",
    ],
    ["kube:", "the CRDs of a cluster, and for --policies its policies with everything that they read"],
  ];
  page.rows(rows);
  page.blank();
  page.paragraph(
    "CRDs among the inputs apply to all objects, in any order. In folders, documents without apiVersion and kind are skipped; in files that you name they are errors. If there are no objects at all, that is an error, so that a wrong path does not look like success.",
  );
}

function outputs(page: Page): void {
  page.heading("OUTPUTS");
  page.rows([
    [
      "text",
      "for people: each finding with its source line; colours only on a terminal (--color, NO_COLOR, FORCE_COLOR)",
    ],
    [
      "json",
      "for programs: report.portcullis.dev/v1 with summary and findings; each has rule, severity, file, range, object, path, message, hint and fingerprint",
    ],
    ["junit", "for CI systems: one suite per file and one case per object, including those that passed"],
    ["sarif", "for code scanning: SARIF 2.1.0 with fingerprints and suppressions"],
    ["github", "annotations in a GitHub workflow"],
  ]);
  page.blank();
  page.paragraph(
    "Use -o several times for several outputs. FORMAT=FILE writes to a file; at most one output goes to standard output. All outputs have the same findings in the same order: by file, line and column. Progress and errors go to standard error.",
  );
  page.blank();
  page.line("portcullis check deploy/ -o text -o junit=report.xml -o sarif=report.sarif");
}

function exitCodes(page: Page): void {
  page.heading("EXIT CODES");
  page.rows([
    ["0", "no findings at the level of --fail-on (default error) or above"],
    ["1", "findings; with --exit-zero the exit code is 0"],
    ["2", "usage error, unreadable input, or nothing to check"],
    ["3", "internal error: a bug in Portcullis"],
  ]);
  page.blank();
  page.paragraph(
    "`portcullis kubeconform` has kubeconform's exit codes instead: 0 if all resources are valid, otherwise 1.",
  );
}

function baselines(page: Page): void {
  page.heading("BASELINES");
  page.paragraph(
    "A baseline is a file that lists accepted findings. Write it once and commit it. From then on, only new findings are reported:",
  );
  page.blank();
  page.line("portcullis check deploy/ --write-baseline baseline.yaml");
  page.line("portcullis check deploy/ --baseline baseline.yaml");
  page.blank();
  page.paragraph(
    "An entry is identified by the fingerprint of the finding, which does not depend on the line. The rule, file, object and message of an entry are for readers. You can add `owner`, `reason` and `expires` (a date such as 2027-01-31) to an entry; they are kept when the file is written again. Expired entries have no effect. Stale entries are reported as baseline/unused, so that the file only shrinks.",
  );
  page.blank();
  page.paragraph("crd diff and preflight have acknowledgements (--acks), which work in a similar way.");
}

function suppressions(page: Page): void {
  page.heading("SUPPRESSIONS");
  page.paragraph(
    "A comment suppresses the findings of a rule on its line, or on the next line if it is on a line of its own. A reason is required:",
  );
  page.blank();
  page.line("size: 11   # portcullis: ignore schema/maximum the old machines have 11");
  page.blank();
  page.line("# portcullis: ignore schema/maximum the old machines have 11");
  page.line("size: 11");
  page.blank();
  page.line("# portcullis: ignore-file schema/* generated, see tools/");
  page.blank();
  page.paragraph("An annotation suppresses them for the whole object. Write a dot instead of `/` in the rule:");
  page.blank();
  page.line("metadata:");
  page.line("  annotations:");
  page.line("    portcullis.dev/ignore.schema.maximum: the old machines have 11");
  page.blank();
  page.paragraph(
    "Unused suppressions are reported as suppression/unused. SARIF and JSON include suppressed findings with their reasons.",
  );
}

function versions(page: Page): void {
  page.heading("KUBERNETES VERSIONS");
  page.paragraph(
    "--kube-version selects the kinds, fields, feature gates, CEL libraries, formats and messages of a version from 1.30 on; the latest is the default. With several versions, as in 1.34,1.37, a finding that applies to all versions is reported once, and other findings have a note such as `only in Kubernetes 1.33`. v1.33.4 is the same as 1.33. `portcullis versions diff` lists what differs between two versions.",
  );
}

function pipelines(page: Page): void {
  page.heading("IN CI");
  page.paragraph(
    "GitHub: use the repository as an action; it checks paths and annotates the changed files. pre-commit: use the hooks `portcullis-check` and `portcullis-crd-lint`. Container: build the Dockerfile; its entry point is `portcullis`. See docs/ci.md.",
  );
  page.blank();
  page.line("helm template . | portcullis check - crds/ --stdin-filename chart.yaml");
  page.line("kustomize build overlays/prod | portcullis check - crds/");
}
