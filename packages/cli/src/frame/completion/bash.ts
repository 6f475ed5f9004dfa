/** A completion script for bash: one function that follows the arguments to the command they name. */
import type { CompletionNode } from "./model.ts";

export function bashCompletion(nodes: readonly CompletionNode[]): string {
  return `# bash completion for portcullis; source it, or save it as /etc/bash_completion.d/portcullis
_portcullis() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="" command="" word index
  [ "$COMP_CWORD" -gt 0 ] && prev="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$command/$word" in
${nodes
  .filter(({ path }) => path.length > 0)
  .map(
    ({ path }) =>
      `      ${quote(
        `/${path
          .slice(0, -1)
          .map((part) => `${part}/`)
          .join("")}${path.at(-1)}`,
      )}) command="$command/$word" ;;`,
  )
  .join("\n")}
    esac
  done
  case "$command $prev" in
${nodes.flatMap(valueCases).join("\n")}
  esac
  local words=""
  case "$command" in
${nodes.map(wordCase).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  case "$cur" in
    -*) ;;
    *) [ "\${#COMPREPLY[@]}" -eq 0 ] && COMPREPLY=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _portcullis portcullis
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
      const reply = values.length === 0 ? 'compgen -f -- "$cur"' : `compgen -W ${quote(values.join(" "))} -- "$cur"`;
      return `    ${patterns}) COMPREPLY=($(${reply})); return ;;`;
    });
}

function wordCase({ path, words, options }: CompletionNode): string {
  const all = [...words.map(([word]) => word), ...options.flatMap(({ flags }) => flags)];
  return `    ${quote(keyOf(path))}) words=${quote(all.join(" "))} ;;`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
