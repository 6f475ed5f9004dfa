/** A problem found while parsing or checking. */
import type { Location } from "./source.ts";

export interface Issue {
  readonly message: string;
  readonly location: Location;
}
