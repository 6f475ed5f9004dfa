/** Describes the rules of `check` and `crd lint`; a rule that ends with `*` is a family. */

export interface CheckRule {
  readonly rule: string;
  readonly title: string;
  readonly why: string;
  readonly fix: string;
}

// biome-ignore format: a table
export const CHECK_RULES: readonly CheckRule[] = [
  { rule: "input/syntax", title: "the text is not valid YAML or JSON", why: "nothing in the document can be read", fix: "fix the line; render templates first, as in `helm template . | portcullis check -`" },
  { rule: "input/not-an-object", title: "the document is a list or a scalar", why: "every Kubernetes object is a mapping", fix: "check what produced it" },
  { rule: "input/not-kubernetes", title: "apiVersion or kind is missing", why: "the API server cannot determine the kind", fix: "add them, or exclude the file with --ignore; in folders such files are skipped" },
  { rule: "input/broken-link", title: "a link points to nothing", why: "the file that it stands for is not checked", fix: "remove the link, or fix its target" },
  { rule: "input/unreadable", title: "a file cannot be read", why: "its objects are not checked", fix: "fix the permissions, or exclude the file with --ignore" },
  { rule: "input/placeholder", title: "values are placeholders that another tool replaces", why: "what the API server says about them is not known", fix: "give values with --set or --env-subst, or render the file first" },
  { rule: "input/duplicate-object", title: "the same object is among the inputs more than once", why: "the one that is applied last wins; of several CRDs the closest one is used, or any of those that are equally close", fix: "remove one of them, or check the variants in separate runs" },
  { rule: "api/removed", title: "this Kubernetes version does not have the API version any more", why: "kubectl refuses the object: no matches for kind", fix: "use the version that the hint names; its fields may differ" },
  { rule: "api/unknown", title: "neither Kubernetes nor the given CRD has this kind or version", why: "kubectl refuses the object: no matches for kind", fix: "fix the spelling, or the version" },
  { rule: "api/not-served", title: "the API version is served only where the cluster enables it", why: "the object is not checked; most clusters refuse it", fix: "use a version that is served by default, if there is one" },
  { rule: "api/deprecated", title: "a later Kubernetes version does not have this API version any more", why: "the object cannot be applied after that upgrade", fix: "use the version that the message names" },
  { rule: "decode", title: "a value does not fit its Go type", why: "the API server refuses the request before anything is validated", fix: "use the type that the message names; quote strings that look like numbers or booleans" },
  { rule: "field/unknown", title: "the kind does not have this field", why: "kubectl refuses it by default; other clients drop it silently, so it has no effect", fix: "fix the spelling or the indentation, or remove the field; --field-validation warn accepts it" },
  { rule: "field/duplicate", title: "a key occurs twice", why: "the last one silently wins", fix: "remove one of them" },
  { rule: "schema/not-found", title: "the kind is unknown", why: "the object is not checked at all", fix: "name its CRD with --crds, or add it as another path; --missing-schema error makes it fail" },
  { rule: "schema/partial", title: "kinds are checked with JSON schemas of a catalogue", why: "a schema does not say the scope, the exact name of the kind and the subresources, so the status is not checked", fix: "use the CRDs of the project, or kube:" },
  { rule: "schema/unusable", title: "a schema of a catalogue cannot be used", why: "objects of its kind are not checked", fix: "use the CRD of the kind" },
  { rule: "schema/*", title: "the schema of the CRD refuses the value", why: "the API server responds with 422; the part after the slash is the schema keyword", fix: "change the value or the CRD; in updates (--old), errors on unchanged values are ignored" },
  { rule: "cel/rule", title: "a validation rule of the CRD failed", why: "the API server responds with 422 and the rule's message", fix: "change the value; try expressions with `portcullis cel`" },
  { rule: "cel/*", title: "rules could not be evaluated, or cost too much for this object", why: "the API server refuses objects that it cannot evaluate", fix: "make the object smaller, or the rule cheaper: `portcullis crd cost`" },
  { rule: "validation", title: "a check that is not part of a schema: names, labels, combinations of fields", why: "schemas do not contain this check, so schema validators miss it", fix: "see the message" },
  { rule: "validation/*", title: "a check of a built-in kind", why: "schemas do not contain this check, so schema validators miss it", fix: "see the message" },
  { rule: "request", title: "the request is refused", why: "the object never reaches validation", fix: "see the message" },
  { rule: "warning", title: "the API server accepts the object and warns", why: "kubectl prints the warning: a field is deprecated, has no effect, or is probably a mistake", fix: "see the message" },
  { rule: "crd/*", title: "the API server would refuse the CRD", why: "neither the CRD nor its objects could be applied", fix: "see the message; for costs use `portcullis crd cost`" },
  { rule: "convention/unbounded-list", title: "a list of the CRD has no maxItems", why: "rules about it count with the largest list that fits a request, so they are refused as too expensive; a limit that is added later breaks objects", fix: "add maxItems, generous but finite" },
  { rule: "convention/unbounded-map", title: "a map of the CRD has no maxProperties", why: "rules about it count with the largest map that fits a request, so they are refused as too expensive; a limit that is added later breaks objects", fix: "add maxProperties, generous but finite" },
  { rule: "convention/unbounded-string", title: "a string of the CRD has no maxLength, enum or format that bounds it", why: "rules about it count with the longest string that fits a request, so they are refused as too expensive; a limit that is added later breaks objects", fix: "add maxLength, generous but finite" },
  { rule: "convention/list-type", title: "a list of the CRD has no x-kubernetes-list-type", why: "server-side apply treats the list as one value: two appliers overwrite each other's items", fix: "add x-kubernetes-list-type: map with its keys, set, or atomic if that is intended" },
  { rule: "convention/integer-format", title: "an integer of the CRD has no format", why: "clients do not know whether 32 bits are enough, and generated ones choose differently", fix: "add format: int32 or int64" },
  { rule: "convention/status-subresource", title: "the CRD has a status but no status subresource", why: "users can write the status, and a controller that writes it may overwrite the spec", fix: "add subresources: {status: {}} to the version" },
  { rule: "convention/description", title: "a field of the CRD has no description", why: "`kubectl explain` has nothing to say about it", fix: "add a description" },
  { rule: "policy/deny", title: "an admission policy denies the object", why: "the API server responds with the policy's message", fix: "change the object; `portcullis policy eval --explain` shows every step" },
  { rule: "policy/warn", title: "an admission policy warns", why: "kubectl prints the warning and continues", fix: "change the object before the policy denies" },
  { rule: "policy/audit", title: "a validation of a policy failed whose binding only audits", why: "the API server accepts the object and writes the failure to its audit log", fix: "change the object before the policy warns or denies" },
  { rule: "policy/invalid", title: "the API server would refuse the policy", why: "it would never be enforced", fix: "see the message" },
  { rule: "policy/unbound", title: "no binding names the policy", why: "the API server accepts the policy and never evaluates it", fix: "add a binding; --bind Deny evaluates the policy as if it had one" },
  { rule: "policy/type", title: "an expression does not fit a kind that the policy matches", why: "it fails for such objects, and failurePolicy decides", fix: "fix the expression, or match fewer kinds" },
  { rule: "pod-security/deny", title: "the pod violates the Pod Security level that is enforced", why: "the API server responds with 403", fix: "change the security context, or the labels of the namespace" },
  { rule: "pod-security/warn", title: "the pod, or pods of the template, violate a Pod Security level", why: "kubectl prints the warning; pods that are made of a template are denied where the level is enforced", fix: "change the security context, or the labels of the namespace" },
  { rule: "webhook/asked", title: "an admission webhook would be called", why: "it may change or deny the object; portcullis calls no webhooks", fix: "nothing: `--show webhooks` lists them" },
  { rule: "webhook/error", title: "the match conditions of a webhook cannot be evaluated", why: "the API server refuses the request, because failurePolicy is Fail", fix: "fix the match condition" },
  { rule: "suppression/*", title: "a suppression without effect, rule or reason", why: "it would hide the next mistake", fix: "remove or complete it: `portcullis help suppressions`" },
  { rule: "policy/suite", title: "the suite cannot be read", why: "none of its tests run", fix: "see the message" },
  { rule: "editor/stale-crd", title: "the CRD of the object cannot be read at the moment", why: "in the editor, the object is checked with the CRD as it was before", fix: "fix the file of the CRD" },
  { rule: "editor/too-large", title: "the file is too large to be checked while it is edited", why: "an answer would take longer than a keystroke", fix: "run `portcullis check` on it" },
  { rule: "baseline/unused", title: "a baseline entry matches no finding", why: "it would hide the same mistake if it returns", fix: "remove the entry, or write the baseline again" },
];

/** The rule's own entry, or the entry of its family. */
export function findCheckRule(name: string): CheckRule | undefined {
  return (
    CHECK_RULES.find(({ rule }) => rule === name) ??
    CHECK_RULES.find(({ rule }) => rule.endsWith("*") && name.startsWith(rule.slice(0, -1)))
  );
}
