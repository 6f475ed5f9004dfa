/** Sums up problems and transcripts in the one line that is read first. */
import type { Outcome, Problem, SchemaPlaces, Severity, Tone, Transcript, Verdict } from "./outcome.ts";
import type { Source } from "./places.ts";

/** The result of a mode; the rest of an outcome is derived from it. */
export interface Report
  extends Partial<Pick<Outcome, "pipeline" | "ratcheting" | "upgrade" | "policy" | "proof" | "cel">> {
  readonly verdict: Verdict;
  readonly problems: readonly Problem[];
  /** Computed after the verdict. */
  readonly schemaPlaces?: () => SchemaPlaces;
  /** The texts that problems may be about. */
  readonly sources: readonly Source[];
}

export function sumUp(problems: readonly Problem[], transcripts: readonly Transcript[]): Pick<Report, "verdict"> {
  const unreadable = problems.some(({ rule }) => rule.startsWith("input/"));
  const refused =
    transcripts.some(({ isRefusal }) => isRefusal) || problems.some(({ severity }) => severity === "error");
  const warned = transcripts.some(({ output }) => output.startsWith("Warning: "));
  const isEmpty = transcripts.length === 0 && problems.length === 0;
  const tone: Tone = unreadable ? "failed" : refused ? "refused" : warned ? "warned" : isEmpty ? "empty" : "accepted";
  return { verdict: { tone, ...headlineFor(tone, problems), transcripts } };
}

function headlineFor(tone: Tone, problems: readonly Problem[]): Pick<Verdict, "headline" | "summary"> {
  const number = (severity: Severity): number => problems.filter((each) => each.severity === severity).length;
  const [errors, notes] = [number("error"), number("note")];
  const forgiven = notes === 0 ? [] : [`${count(notes, "error")} forgiven by ratcheting`];
  switch (tone) {
    case "failed":
      return { headline: "Not readable", summary: "an input is not valid YAML or not an object" };
    case "refused":
      return { headline: "Refused", summary: [count(Math.max(errors, 1), "error"), ...forgiven].join(", ") };
    case "warned":
      return { headline: "Accepted", summary: ["with a warning", ...forgiven].join(", ") };
    case "empty":
      return { headline: "Nothing to check yet", summary: "enter an object, or open an example" };
    case "accepted":
      return { headline: "Accepted", summary: forgiven.join("") };
  }
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
