/**
 * Every code that a finding can have: the question it answers, its default level, why it matters and what to do.
 *
 * Codes are stable, because acknowledgements and configurations name them.
 */

/** The questions, as users know them; see each text. */
export const QUESTIONS = {
  Q1: "can an object that is stored become invalid?",
  Q2: "can a manifest that was accepted be refused?",
  Q3: "can data be lost to pruning?",
  Q4: "can values appear or change by themselves?",
  Q5: "can readers see values that they do not know?",
  Q6: "which writes does an invalid object still accept?",
  Q7: "does server-side apply merge differently?",
  Q8: "is data lost or refused between served versions?",
  Q9: "does the API offer less?",
  Q10: "does the API server accept the CRD at all?",
} as const;

export type Question = keyof typeof QUESTIONS;
export type Level = "error" | "warning" | "note";

export interface CatalogEntry {
  readonly code: string;
  readonly question: Question;
  /** The level of an unsafe verdict. */
  readonly level: Level;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}

const NEW_VERSION = "offer the stricter schema as a new version and move clients there first";
const IN_STEPS = "fix the objects first (`portcullis crd scan` lists them with patches), then tighten";

type Row = readonly [code: string, question: Question, level: Level, title: string, why: string, fix: string];

// biome-ignore format: a table
const ROWS: readonly Row[] = [
  ["type", "Q1", "error", "a type no longer allows what it allowed", "stored values of the old type fail validation on every write that touches them, and manifests with them are refused", NEW_VERSION],
  ["enum", "Q1", "error", "an enum no longer lists a value", "objects with the value cannot be created again, and every edit of the field is refused", IN_STEPS],
  ["minimum", "Q1", "error", "a lower bound rose", "numbers below the new bound are refused", IN_STEPS],
  ["maximum", "Q1", "error", "an upper bound fell", "numbers above the new bound are refused", IN_STEPS],
  ["exclusiveMinimum", "Q1", "error", "a lower bound became exclusive", "the bound itself is refused", IN_STEPS],
  ["exclusiveMaximum", "Q1", "error", "an upper bound became exclusive", "the bound itself is refused", IN_STEPS],
  ["multipleOf", "Q1", "error", "numbers must be multiples of another number", "numbers between the steps are refused", IN_STEPS],
  ["minLength", "Q1", "error", "strings must be longer", "shorter strings, often the empty string, are refused", IN_STEPS],
  ["maxLength", "Q1", "error", "strings must be shorter", "longer strings are refused", IN_STEPS],
  ["pattern", "Q1", "error", "a pattern no longer matches what it matched", "strings that only the old pattern matches are refused", IN_STEPS],
  ["format", "Q1", "error", "a format refuses what was allowed", "strings that do not have the format are refused", IN_STEPS],
  ["minItems", "Q1", "error", "lists must be longer", "shorter lists, often the empty list, are refused", IN_STEPS],
  ["maxItems", "Q1", "error", "lists must be shorter", "longer lists are refused", IN_STEPS],
  ["minProperties", "Q1", "error", "objects must have more fields", "smaller objects are refused", IN_STEPS],
  ["maxProperties", "Q1", "error", "objects must have fewer fields", "larger objects are refused", IN_STEPS],
  ["required", "Q1", "error", "a field became required", "the error belongs to the object that lacks the field, so every update of that object is refused; at the root even the removal of a finalizer", "give the field a default, or add it as optional, fill it in everywhere, and require it in a later release"],
  ["nullable", "Q1", "error", "null is no longer allowed", "nulls in lists are refused; elsewhere they are removed or replaced by the default", IN_STEPS],
  ["additionalProperties", "Q1", "error", "keys are no longer allowed", "objects with other keys are refused", NEW_VERSION],
  ["propertyNames", "Q1", "error", "keys must have a different format", "maps with other keys are refused", IN_STEPS],
  ["listType", "Q1", "error", "items of a list must be unique", "lists with duplicates cannot be created again or restored; once stored, all list checks of the object are skipped", "remove the duplicates first, or keep the list atomic"],
  ["embeddedResource", "Q1", "error", "an object must be a complete resource", "without apiVersion, kind and metadata it is refused, and updates are never forgiven", NEW_VERSION],
  ["allOf", "Q1", "error", "a combination of schemas became stricter", "errors inside a combinator are not ratcheted separately on update", IN_STEPS],
  ["anyOf", "Q1", "error", "fewer alternatives are allowed", "objects that matched only a removed alternative are refused", IN_STEPS],
  ["oneOf", "Q1", "error", "the alternatives changed", "objects that match none of them, or more than one, are refused", IN_STEPS],
  ["not", "Q1", "error", "more is forbidden", "objects that match what is forbidden are refused", IN_STEPS],
  ["rule", "Q1", "error", "a rule refuses what was allowed", "a rule at the root of the object is never forgiven, so it can even block the removal of a finalizer", "guard the rule so that it ignores existing values, for example with `oldSelf` and `optionalOldSelf`"],
  ["scale-values", "Q1", "error", "the scale subresource refuses what was allowed", "replicas must be non-negative 32-bit integers and the selector a string; updates are never ratcheted", "fix the objects first, or limit the fields in the schema a release earlier"],
  ["field-removed", "Q3", "error", "a field was removed", "its data is removed from every object at the next write, without an error", "keep the field and deprecate it, or remove it in a new version with conversion"],
  ["unknown-fields-dropped", "Q3", "error", "unknown fields are no longer kept", "everything that is not in the schema is removed at the next write", "add the fields that are in use to the schema first"],
  ["default", "Q4", "warning", "a default was added, changed or removed", "objects read and behave differently although no client changed them", "announce it; controllers should treat the absent field as the default first"],
  ["null-dropped", "Q4", "warning", "nulls are removed or replaced by the default", "objects read differently although no client changed them", "treat null and absent alike before the change"],
  ["reader", "Q5", "note", "new values are allowed", "clients and controllers built for the old schema may see values that they do not know", "roll out readers before writers"],
  ["ownership", "Q7", "warning", "lists or maps merge differently", "these keywords determine whether server-side apply owns single items or the whole list; after a change, field managers may overwrite each other", "apply all manifests again after the upgrade and look for conflicts"],
  ["cross-version-refused", "Q8", "warning", "an object of one served version is refused in another", "with conversion None both versions read the same data", "keep the schemas equal or use a conversion webhook"],
  ["cross-version-lost", "Q8", "warning", "data of one served version is lost through another", "a client that reads and writes the other version drops the field", "add the field to every served version or stop serving one of them"],
  ["scope-changed", "Q9", "error", "the scope changed", "objects would have to move in or out of namespaces; the API server refuses it", "create a CRD with another name and migrate"],
  ["group-changed", "Q9", "error", "the group changed", "it is a different API; the API server refuses it", "create a new CRD and migrate"],
  ["kind-changed", "Q9", "error", "the kind changed", "manifests of the old kind are refused; the API server refuses it once names are established", "create a new CRD and migrate"],
  ["names-changed", "Q9", "warning", "a name changed", "scripts and `kubectl get` by that name stop working", "keep the old name as a short name"],
  ["stored-version-removed", "Q9", "error", "a version that objects are stored in was removed", "the objects could no longer be read; the API server refuses it", "migrate the stored objects and clean status.storedVersions first"],
  ["version-removed", "Q9", "error", "a served version was removed", "clients and manifests of that version get 404", "serve it as deprecated for some releases first"],
  ["version-not-served", "Q9", "error", "a version is no longer served", "clients and manifests of that version get 404", "mark it deprecated first"],
  ["version-deprecated", "Q9", "note", "a version is deprecated", "clients get a warning with every response", "move to a newer version"],
  ["storage-version-changed", "Q9", "note", "objects are stored in another version", "fields that the new storage version does not have are lost when objects are written", "check the conversion, then migrate stored objects"],
  ["storage-version-loses", "Q3", "error", "the new storage version lacks fields of the old one", "objects are read with the schema of the version they are stored in: the data is removed at the next write", "add the fields to the new storage version, or use a conversion webhook"],
  ["conversion-changed", "Q9", "warning", "conversion between versions changed", "without a webhook only apiVersion changes; with one, its responses determine what clients read", "make sure the webhook runs before the CRD refers to it"],
  ["status-added", "Q9", "warning", "the status became a subresource", "status in manifests is ignored, and writes by existing clients have no effect", "write status through its endpoint"],
  ["status-removed", "Q9", "error", "the status subresource was removed", "writes to /status get 404, and ordinary writes overwrite the status", "keep the subresource"],
  ["scale-removed", "Q9", "error", "the scale subresource was removed", "autoscalers and `kubectl scale` stop working", "keep the subresource"],
  ["scale-changed", "Q9", "warning", "the scale subresource reads other fields", "autoscalers see other numbers", "keep the paths"],
  ["selectable-field-removed", "Q9", "error", "a selectable field was removed", "field selectors with it get 400", "keep the entry"],
  ["column-removed", "Q9", "note", "a column was removed", "output of `kubectl get` changes", "keep the column if scripts read it"],
  ["preserve-unknown-fields-off", "Q3", "error", "unknown fields are no longer kept", "everything that is not in the schemas is removed at the next write", "add the fields that are in use to the schemas first"],
  ["not-accepted", "Q10", "error", "the API server refuses the CRD", "the upgrade fails when it is applied", "see the message"],
  ["definition-removed", "Q9", "error", "a CRD was removed", "deleting it deletes all its objects", "keep the CRD until no objects are left"],
  ["definition-added", "Q9", "note", "a CRD was added", "nothing to compare it with", ""],
  ["definition-renamed", "Q9", "error", "a CRD was renamed", "it is a different API: objects do not move", "keep the old CRD and migrate"],
  ["noop", "Q1", "note", "only documentation or notation changed", "proved to have no effect", ""],
];

const ENTRIES: readonly CatalogEntry[] = ROWS.map(([code, question, level, title, why, fix]) => ({
  code: `upgrade/${kebab(code)}`,
  question,
  level,
  title,
  why,
  fix,
}));

function kebab(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const BY_CODE: ReadonlyMap<string, CatalogEntry> = new Map(ENTRIES.map((each) => [each.code, each]));

/** With or without the `upgrade/` prefix. */
export function findCatalogEntry(code: string): CatalogEntry | undefined {
  return BY_CODE.get(code) ?? BY_CODE.get(`upgrade/${code}`);
}

export function catalogEntries(): readonly CatalogEntry[] {
  return ENTRIES;
}

const KEYWORD_CODES: Readonly<Record<string, string>> = {
  "x-kubernetes-validations": "rule",
  "x-kubernetes-list-type": "list-type",
  "x-kubernetes-list-map-keys": "list-type",
  "x-kubernetes-embedded-resource": "embedded-resource",
  "x-kubernetes-property-names": "property-names",
  "x-kubernetes-int-or-string": "type",
  "subresources.scale": "scale-values",
};

/** The entry for a keyword on the validity axis. */
export function entryOfKeyword(keyword: string): CatalogEntry {
  return entryOf(KEYWORD_CODES[keyword] ?? kebab(keyword));
}

export function entryOf(code: string): CatalogEntry {
  const found = findCatalogEntry(code);
  if (found === undefined) throw new Error(`no catalog entry for ${code}`);
  return found;
}
