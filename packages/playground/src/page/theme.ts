/** Light or dark: the system's theme until the user switches it; the last choice is remembered. */

const KEY = "portcullis-theme";

export function setUpTheme(button: HTMLButtonElement): void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = (): boolean =>
    (document.documentElement.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const label = (): void => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to the ${isDark() ? "light" : "dark"} theme`);
  };
  const remembered = remember();
  if (remembered === "light" || remembered === "dark") document.documentElement.dataset["theme"] = remembered;
  button.addEventListener("click", () => {
    const next = isDark() ? "light" : "dark";
    document.documentElement.dataset["theme"] = next;
    remember(next);
    label();
  });
  system.addEventListener("change", label);
  label();
}

/** Storage may be forbidden; then nothing is remembered. */
function remember(theme?: string): string | null {
  try {
    if (theme !== undefined) localStorage.setItem(KEY, theme);
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
