/** What the rules of `check` and `crd lint` are about; a rule that ends with `*` stands for a family. */

export interface CheckRule {
  readonly rule: string;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}

// biome-ignore format: a table
export const CHECK_RULES: readonly CheckRule[] = [
  { rule: "input/syntax", title: "the text is no YAML or JSON", why: "nothing in the document can be read", fix: "mend the line; a template has to be rendered first, as in `helm template . | portcullis check -`" },
  { rule: "input/not-an-object", title: "the document is a list or a scalar", why: "every object of Kubernetes is a mapping", fix: "check what produced it" },
  { rule: "input/not-kubernetes", title: "apiVersion or kind is missing", why: "the API server cannot tell what it is", fix: "add them, or leave the file out with --ignore; in folders such files are passed over" },
  { rule: "decode", title: "a value does not fit its Go type", why: "the API server refuses the request before anything is validated", fix: "write a number, text, list or mapping as the message says; quote texts that look like something else" },
  { rule: "field/unknown", title: "a field that the kind does not have", why: "kubectl refuses it by default; elsewhere it is dropped without a word, so it never had an effect", fix: "mend the spelling or the indentation, or remove it; --field-validation warn lets it through" },
  { rule: "field/duplicate", title: "a key that is there twice", why: "the last one silently wins", fix: "remove one of them" },
  { rule: "schema/not-found", title: "nobody described the kind", why: "the object is not checked at all", fix: "name the file or folder with its CustomResourceDefinition as another path; --missing-schema error makes it fail" },
  { rule: "schema/*", title: "a value that the schema of the definition refuses", why: "the API server answers 422; the keyword that refuses is behind the slash", fix: "change the value, or the definition; as an update (--old) unchanged values are forgiven" },
  { rule: "cel/rule", title: "a validation rule of the definition says no", why: "the API server answers 422 with the rule's message", fix: "change the value; `portcullis cel` tries expressions" },
  { rule: "cel/*", title: "rules could not be evaluated, or cost too much for this object", why: "the API server refuses what it cannot judge", fix: "make the object smaller, or the rule cheaper: `portcullis crd cost`" },
  { rule: "validation", title: "what the API server checks by itself: names, labels, what belongs together", why: "no schema says this, so schema validators miss it", fix: "as the message says" },
  { rule: "validation/*", title: "what the API server checks of built-in kinds", why: "no schema says this, so schema validators miss it", fix: "as the message says" },
  { rule: "request", title: "the request as such is refused", why: "the object never reaches validation", fix: "as the message says" },
  { rule: "warning", title: "the API server accepts the object and warns", why: "kubectl prints the warning: the field is deprecated, has no effect, or is likely a mistake", fix: "as the message says" },
  { rule: "crd/*", title: "the API server would not take the definition", why: "neither it nor its objects could be applied", fix: "as the message says; `portcullis crd cost` helps where it is about costs" },
  { rule: "policy/deny", title: "an admission policy refuses the object", why: "the API server answers with the policy's message", fix: "change the object; `portcullis policy eval --explain` shows every step" },
  { rule: "policy/warn", title: "an admission policy warns", why: "kubectl prints the warning and goes on", fix: "change the object before the policy denies" },
  { rule: "policy/invalid", title: "the API server would not take the policy", why: "it would never be in force", fix: "as the message says" },
  { rule: "policy/type", title: "an expression does not fit a kind that the policy matches", why: "it fails for such objects, and failurePolicy decides", fix: "mend the expression, or match fewer kinds" },
  { rule: "suppression/*", title: "a suppression without effect, rule or reason", why: "it would hide the next mistake", fix: "remove or complete it: `portcullis help suppressions`" },
  { rule: "baseline/unused", title: "a baseline lists what is no longer found", why: "it would hide the same mistake when it comes back", fix: "remove the entry, or write the baseline again" },
];

/** Its own entry, or that of its family. */
export function findCheckRule(name: string): CheckRule | undefined {
  return (
    CHECK_RULES.find(({ rule }) => rule === name) ??
    CHECK_RULES.find(({ rule }) => rule.endsWith("*") && name.startsWith(rule.slice(0, -1)))
  );
}
