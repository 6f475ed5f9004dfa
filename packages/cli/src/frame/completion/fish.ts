/** A completion script for fish: one line per name or option, each with its condition. */
import type { CompletionNode, CompletionOption } from "./model.ts";

export function fishCompletion(nodes: readonly CompletionNode[]): string {
  return `# fish completion for portcullis; save it as ~/.config/fish/completions/portcullis.fish
function __portcullis_at
    set -l words (commandline -opc)
    set -l plain
    for word in $words[2..-1]
        string match -q -- '-*' $word; or set -a plain $word
    end
    set -l want $argv
    test (count $plain) -ge (count $want); or return 1
    test (count $want) -eq 0; and test (count $plain) -eq 0; and return 0
    test (count $want) -gt 0; and test "$plain[1..(count $want)]" = "$want"
end
${nodes.flatMap(nodeLines).join("\n")}
`;
}

function nodeLines({ path, words, options }: CompletionNode): string[] {
  const condition = quote(["__portcullis_at", ...path].join(" "));
  return [
    ...words.map(
      ([word, text]) =>
        `complete -c portcullis -n ${condition} ${path.length < 2 && words.length > 0 && path[0] !== undefined ? "-f " : ""}-a ${quote(word)} -d ${quote(text)}`,
    ),
    ...options.map((option) => `complete -c portcullis -n ${condition} ${optionWords(option)}`),
  ];
}

function optionWords({ flags, text, takesValue, values }: CompletionOption): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = takesValue ? ["-r", ...(values.length === 0 ? [] : [`-f -a ${quote(values.join(" "))}`])] : [];
  return [...names, ...value, `-d ${quote(text)}`].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
