/** CRDs to start from: those of the examples that are written after well-known projects. */
import type { Example } from "../examples/example.ts";
import { h } from "./dom.ts";

const CRD_TOPIC = "Well-known CRDs";

export function crdChooser(examples: readonly Example[], choose: (example: Example) => void): HTMLElement {
  const crds = examples.filter(({ topic }) => topic === CRD_TOPIC);
  const list = h(
    "select",
    { class: "chooser", "aria-label": "Start from a well-known CRD" },
    h("option", { value: "" }, "Start from…"),
    ...crds.map(({ name, title }) => h("option", { value: name }, title)),
  );
  list.addEventListener("change", () => {
    const chosen = crds.find(({ name }) => name === list.value);
    list.value = "";
    if (chosen !== undefined) choose(chosen);
  });
  return list;
}
