/** Options as data: what parsing, help and completion know of them. */

/** Options by long name. */
export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for the value in help, such as `PATH`. */
  readonly value?: string;
  readonly text?: string;
  /** The heading it stands under in help. */
  readonly group?: string;
  /** What the shell offers for the value: these words; a value called FILE, DIR or PATH completes to files by itself. */
  readonly values?: readonly string[];
  /** An alias for those who come from other tools. */
  readonly isHidden?: boolean;
}

export const DEFAULT_GROUP = "others";

/** Understood before any command sees its arguments. */
export const GLOBAL_OPTIONS: OptionSpecs = {
  help: { type: "boolean", short: "h", text: "show this page" },
  color: {
    type: "string",
    value: "WHEN",
    values: ["auto", "always", "never"],
    text: "auto (default; colours on a terminal, with NO_COLOR and FORCE_COLOR), always or never",
  },
};
