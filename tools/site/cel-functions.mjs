/** The page of CEL functions and macros, from the documentation that their definitions hold. */

/** `table` writes a Markdown table. */
export function celPage({ KUBERNETES_VERSIONS, kubernetesEnvironment, functionReferences }, table) {
  const known = KUBERNETES_VERSIONS.map((version) => ({
    version,
    calls: new Set(functionReferences(kubernetesEnvironment({ version, mode: "new" })).map(callText)),
  }));
  const stored = functionReferences(kubernetesEnvironment({ version: KUBERNETES_VERSIONS.at(-1), mode: "stored" }));
  const section = (kind) => table(["call", "meaning", "example", "since"], rows(stored, kind, known));
  const text = [
    "# CEL functions",
    "The functions and macros of expressions in Kubernetes. `portcullis cel --functions NAME` prints the same. Every example is true: try it with `portcullis cel`. `authorizer` exists in admission policies only.",
    "*Since* is the Kubernetes version that introduced the function; it is empty for 1.30 and older. A server accepts it in new expressions one version later, so that an upgrade can be rolled back.",
    "## Macros",
    section("macro"),
    "## Functions",
    section("function"),
  ];
  return { url: "reference/cel-functions.html", title: "CEL functions", text: text.join("\n\n") };
}

/** Overloads with the same documentation share a row. */
function rows(references, kind, known) {
  const groups = new Map();
  for (const reference of references.filter((each) => each.kind === kind)) {
    const key = JSON.stringify([reference.name, reference.doc]);
    groups.set(key, [...(groups.get(key) ?? []), reference]);
  }
  return [...groups.values()].map((group) => {
    const [{ doc, example }] = group;
    return [group.map((each) => `\`${callText(each)}\``).join(", "), doc, `\`${example}\``, sinceText(group[0], known)];
  });
}

function callText({ name, receiverText, signature }) {
  return receiverText === "" ? `${name}${signature}` : `(${receiverText}).${name}${signature}`;
}

function sinceText(reference, known) {
  const since = known.findIndex(({ calls }) => calls.has(callText(reference)));
  return since <= 0 ? "" : known[since].version;
}
