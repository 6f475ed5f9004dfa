/** A completion script for zsh: names with descriptions, and files for path arguments. */
import type { CompletionNode } from "./model.ts";

export function zshCompletion(nodes: readonly CompletionNode[]): string {
  return `#compdef portcullis
# zsh completion for portcullis; save it as _portcullis in a folder of $fpath

_portcullis() {
  local command="" word prev="\${words[CURRENT-1]}"
  local -a entries flags
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$command/$word" in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(({ path }) => `      ${quote(keyOf(path))}) command="$command/$word" ;;`)
  .join("\n")}
    esac
  done
  case "$command $prev" in
${nodes.flatMap(valueCases).join("\n")}
  esac
  case "$command" in
${nodes.map(nodeCase).join("\n")}
  esac
  [[ "\${words[CURRENT]}" == -* ]] && { _describe -o 'option' flags; return }
  (( \${#entries} )) && _describe 'command' entries
  _files
}

compdef _portcullis portcullis
`;
}

function keyOf(path: readonly string[]): string {
  return path.map((part) => `/${part}`).join("");
}

function valueCases({ path, options }: CompletionNode): string[] {
  return options
    .filter(({ takesValue }) => takesValue)
    .map(({ flags, values }) => {
      const patterns = flags.map((flag) => quote(`${keyOf(path)} ${flag}`)).join("|");
      return `    ${patterns}) ${values.length === 0 ? "_files" : `compadd -- ${values.map(quote).join(" ")}`}; return ;;`;
    });
}

function nodeCase({ path, words, options }: CompletionNode): string {
  const entries = words.map(([word, text]) => quote(`${word}:${text.replaceAll(":", "\\:")}`));
  const flags = options.flatMap((option) =>
    option.flags.map((flag) => quote(`${flag}:${option.text.replaceAll(":", "\\:")}`)),
  );
  return `    ${quote(keyOf(path))})
      entries=(${entries.join(" ")})
      flags=(${flags.join(" ")}) ;;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
