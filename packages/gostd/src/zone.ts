/**
 * Time zones: fixed offsets, and the names of `time.LoadLocation`.
 *
 * The names are those of the archive in kube-apiserver, matched exactly; their rules are the JavaScript engine's
 * copy of the same database, used through Intl.
 */
import { zoneNames } from "./generated/zone-names.ts";
import { invalidLocationName, unknownZone } from "./messages.ts";
import type { Result } from "./result.ts";

/** A time zone. Example: `loadLocation("Europe/Berlin").value?.offsetAt(0n)`. */
export interface Zone {
  readonly name: string;
  /** Seconds east of UTC in force at that instant. */
  offsetAt(seconds: bigint): number;
}

/**
 * UTC.
 * @example utc.offsetAt(0n) // 0
 */
export const utc: Zone = { name: "UTC", offsetAt: () => 0 };

/**
 * A zone with a constant offset.
 * @example fixedZone(3600).offsetAt(0n) // 3600
 */
export function fixedZone(offsetSeconds: number): Zone {
  return { name: "", offsetAt: () => offsetSeconds };
}

/**
 * "Local" is UTC here, as in the containers of kube-apiserver.
 * @example loadLocation("Europe/Berlin").value?.offsetAt(0n) // 3600
 */
export function loadLocation(name: string): Result<Zone> {
  if (name === "" || name === "UTC") return { value: utc };
  if (name === "Local") return { value: { ...utc, name } };
  if (name.includes("..") || name.startsWith("/") || name.startsWith("\\")) return { error: invalidLocationName };
  knownNames ??= new Set(zoneNames.split(" "));
  if (!knownNames.has(name)) return { error: unknownZone(name) };
  return { value: namedZone(name) };
}

let knownNames: ReadonlySet<string> | undefined;
/** Bounded by the list of names. Creating a formatter is far slower than using it. */
const zones = new Map<string, Zone>();

function namedZone(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const zone = name === "Factory" ? { name, offsetAt: () => 0 } : intlZone(name);
  zones.set(name, zone);
  return zone;
}

const OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

function intlZone(name: string): Zone {
  const formatter = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  return {
    name,
    offsetAt: (seconds) => {
      const [, sign = "+", hours = "0", minutes = "0", rest = "0"] =
        OFFSET.exec(formatter.format(Number(seconds) * 1000)) ?? [];
      const magnitude = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
      return sign === "-" ? -magnitude : magnitude;
    },
  };
}
