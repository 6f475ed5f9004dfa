/** The outputs that need nothing but the report. A format is a row here and a name in `OUTPUT_FORMATS`. */
import type { Report } from "../report/finding.ts";
import { formatGithub } from "./github.ts";
import { formatJunit } from "./junit.ts";
import { formatMarkdown } from "./markdown.ts";
import { formatSarif } from "./sarif.ts";

export const REPORT_FORMATS = {
  junit: formatJunit,
  sarif: formatSarif,
  github: formatGithub,
  markdown: formatMarkdown,
} as const satisfies Record<string, (report: Report) => string>;

export type ReportFormat = keyof typeof REPORT_FORMATS;
