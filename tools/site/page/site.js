/** Search over the prebuilt index, and the theme. A classic script, so that the site also works from a folder. */
(() => {
  const input = document.getElementById("search");
  const results = document.getElementById("results");
  const base = document.documentElement.dataset.root;
  const LIMIT = 12;
  let loading;

  /** The index is a script: that needs neither a server nor a request by the page itself. */
  function load() {
    loading ??= new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${base}search-index.js`;
      script.onload = () => resolve(globalThis.portcullisIndex);
      script.onerror = () => reject(new Error("the search index did not load"));
      document.head.append(script);
    });
    return loading;
  }

  function find({ sections, words }, query) {
    const terms = query.toLowerCase().match(/[\p{L}\p{N}_]{2,40}/gu) ?? [];
    if (terms.length === 0) return [];
    const names = Object.keys(words);
    const scores = new Map();
    for (const term of terms) {
      const hits = new Map();
      for (const name of names) {
        if (!name.startsWith(term)) continue;
        for (const at of words[name]) hits.set(at, Math.max(hits.get(at) ?? 0, name === term ? 3 : 1));
      }
      for (const [at, score] of hits) scores.set(at, [...(scores.get(at) ?? []), score]);
    }
    return [...scores]
      .filter(([, each]) => each.length === terms.length)
      .map(([at, each]) => [at, each.reduce((sum, one) => sum + one, 0) + bonus(sections[at], terms)])
      .sort(([one, first], [other, second]) => second - first || one - other)
      .slice(0, LIMIT)
      .map(([at]) => sections[at]);
  }

  function bonus([, title, heading], terms) {
    const text = `${title} ${heading}`.toLowerCase();
    return terms.filter((term) => text.includes(term)).length * 4;
  }

  function show(found, query) {
    results.hidden = query.trim() === "";
    const count = document.createElement("p");
    count.textContent = found.length === 0 ? "No results" : `${found.length} result${found.length === 1 ? "" : "s"}`;
    const list = document.createElement("ul");
    for (const [url, title, heading, excerpt] of found) {
      const link = document.createElement("a");
      link.href = base + url;
      link.textContent = heading === "" || heading === title ? title : `${title}: ${heading}`;
      const text = document.createElement("span");
      text.textContent = excerpt;
      const item = document.createElement("li");
      item.append(link, text);
      list.append(item);
    }
    results.replaceChildren(count, list);
  }

  async function search() {
    try {
      show(find(await load(), input.value), input.value);
    } catch (problem) {
      results.hidden = false;
      results.textContent = problem.message;
    }
  }

  input.addEventListener("focus", () => load().catch(() => {}));
  input.addEventListener("input", search);
  input.form.addEventListener("submit", (event) => event.preventDefault());
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    input.value = "";
    show([], "");
  });
})();
