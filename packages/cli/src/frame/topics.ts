/** `portcullis help TOPIC`: what several commands have in common. */
import type { Row } from "../commands/command.ts";
import type { Page } from "./help.ts";

export interface Topic {
  readonly name: string;
  readonly summary: string;
  readonly write: (page: Page) => void;
}

export const TOPICS: readonly Topic[] = [
  { name: "inputs", summary: "files, folders, patterns, standard input", write: inputs },
  { name: "outputs", summary: "the forms of a report, and several at once", write: outputs },
  { name: "exit-codes", summary: "what 0, 1, 2 and 3 mean", write: exitCodes },
  { name: "baselines", summary: "living with what is there, failing on what is new", write: baselines },
  { name: "suppressions", summary: "accepting one finding where it stands", write: suppressions },
  { name: "versions", summary: "answers of several versions of Kubernetes", write: versions },
  { name: "ci", summary: "GitHub, pre-commit, containers, other pipelines", write: pipelines },
];

export function findTopic(name: string): Topic | undefined {
  return TOPICS.find((topic) => topic.name === name);
}

function inputs(page: Page): void {
  page.heading("INPUTS");
  const rows: Row[] = [
    ["FILE", "YAML with any number of documents, or JSON; a List stands for its items"],
    [
      "FOLDER",
      "all .yaml, .yml and .json files below it, in order of their names; folders that start with a dot and node_modules are left out",
    ],
    ["PATTERN", "quoted, such as 'deploy/**/*.yaml' or 'apps/{a,b}/*.yml'"],
    ["-", "standard input; --stdin-filename gives it a name in findings"],
    [
      "git:REF:PATH",
      "for --old and --policies, crd diff, preflight and crd scan: the file or folder as it is in a commit",
    ],
  ];
  page.rows(rows);
  page.blank();
  page.paragraph(
    "Definitions among the inputs are known to all objects, wherever they stand. In folders, documents without apiVersion and kind are passed over; in files that were named they are errors. No input at all is an error, so that a wrong path never looks like success.",
  );
}

function outputs(page: Page): void {
  page.heading("OUTPUTS");
  page.rows([
    ["text", "for people: each finding with its line; colours on a terminal only (--color, NO_COLOR, FORCE_COLOR)"],
    [
      "json",
      "for programs: report.portcullis.dev/v1 with summary and findings; each has rule, severity, file, range, object, path, message, hint and fingerprint",
    ],
    ["junit", "for CI systems: a suite a file, a case an object, those that passed too"],
    ["sarif", "for code scanning: SARIF 2.1.0 with fingerprints and suppressions"],
    ["github", "annotations in a GitHub workflow"],
  ]);
  page.blank();
  page.paragraph(
    "-o may be given several times. FORMAT=FILE writes a file; at most one goes to standard output. All are made from the same report, in the same order: by file, line and column. Progress and complaints go to standard error.",
  );
  page.blank();
  page.line("portcullis check deploy/ -o text -o junit=report.xml -o sarif=report.sarif");
}

function exitCodes(page: Page): void {
  page.heading("EXIT CODES");
  page.rows([
    ["0", "nothing found, or nothing at the level of --fail-on (default error)"],
    ["1", "findings; --exit-zero turns this into 0"],
    ["2", "usage, unreadable input, or nothing to do: the question was not answered"],
    ["3", "internal error: a defect of Portcullis"],
  ]);
  page.blank();
  page.paragraph("`portcullis kubeconform` has kubeconform's codes instead: 0 all valid, 1 everything else.");
}

function baselines(page: Page): void {
  page.heading("BASELINES");
  page.paragraph(
    "A baseline is a file of findings that a repository lives with. Write it once, commit it, and from then on only what is new counts:",
  );
  page.blank();
  page.line("portcullis check deploy/ --write-baseline baseline.yaml");
  page.line("portcullis check deploy/ --baseline baseline.yaml");
  page.blank();
  page.paragraph(
    "An entry is a finding's fingerprint, which stays the same wherever in the file it stands; rule, file, object and message beside it are for readers. `owner`, `reason` and `expires` (a day, such as 2027-01-31) may be added to each and are kept when the file is written again. What has expired counts again. What is no longer found is told as baseline/unused, so that the file only shrinks.",
  );
  page.blank();
  page.paragraph("crd diff and preflight have acknowledgements (--acks) in the same spirit.");
}

function suppressions(page: Page): void {
  page.heading("SUPPRESSIONS");
  page.paragraph(
    "A comment accepts a rule's findings on its own line, or on the next line where it stands alone; a reason is demanded:",
  );
  page.blank();
  page.line("size: 11   # portcullis: ignore schema/maximum the old machines have 11");
  page.blank();
  page.line("# portcullis: ignore schema/maximum the old machines have 11");
  page.line("size: 11");
  page.blank();
  page.line("# portcullis: ignore-file schema/* generated, see tools/");
  page.blank();
  page.paragraph("An annotation accepts them for the whole object; `/` in a rule is written as a dot:");
  page.blank();
  page.line("metadata:");
  page.line("  annotations:");
  page.line("    portcullis.dev/ignore.schema.maximum: the old machines have 11");
  page.blank();
  page.paragraph(
    "A suppression that accepts nothing is told as suppression/unused. In SARIF and JSON what is accepted is there with its reason.",
  );
}

function versions(page: Page): void {
  page.heading("VERSIONS OF KUBERNETES");
  page.paragraph(
    "--kube-version selects the CEL libraries, formats and ratcheting of a version from 1.30 on; the newest is the default. Several, as in 1.33,1.36, are all asked: what they agree on is told once, and a finding of only some of them says `only in Kubernetes 1.33`. v1.33.4 is read as 1.33. Built-in kinds are those of the newest version.",
  );
}

function pipelines(page: Page): void {
  page.heading("IN A PIPELINE");
  page.paragraph(
    "GitHub: the action of the repository checks paths and annotates the changed files. pre-commit: the hooks `portcullis-check` and `portcullis-crd-lint`. A container: the Dockerfile, whose entry point is the command. See docs/ci.md.",
  );
  page.blank();
  page.line("helm template . | portcullis check - crds/ --stdin-filename chart.yaml");
  page.line("kustomize build overlays/prod | portcullis check - crds/");
}
