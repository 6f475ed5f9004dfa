/** Options as data for parsing, help and completion. */

/** Options by long name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** The placeholder of the value in help, such as `PATH`. */
  readonly value?: string;
  readonly text?: string;
  /** The heading in help. */
  readonly group?: string;
  /** The values that the shell offers; a value called FILE, DIR or PATH completes to files automatically. */
  readonly values?: readonly string[];
  /** An alias for users of other tools. */
  readonly isHidden?: boolean;
}

export const DEFAULT_GROUP = "others";

/** Handled before any command sees its arguments. */
export const GLOBAL_OPTIONS: OptionSpecs = {
  help: { type: "boolean", short: "h", text: "show this page" },
  color: {
    type: "string",
    value: "WHEN",
    values: ["auto", "always", "never"],
    text: "auto (default; colours on a terminal, with NO_COLOR and FORCE_COLOR), always or never",
  },
};
