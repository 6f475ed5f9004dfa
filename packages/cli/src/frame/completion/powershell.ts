/** A completion script for PowerShell: a table of names by command, and one script block that reads it. */
import type { CompletionNode } from "./model.ts";

export function powershellCompletion(nodes: readonly CompletionNode[]): string {
  return `# PowerShell completion for portcullis; add it to $PROFILE
$PortcullisWords = @{
${nodes.map(({ path, words, options }) => `  ${quote(path.join(" "))} = @(${[...words, ...options.flatMap(({ flags, text }) => flags.map((flag) => [flag, text] as const))].map(([word, text]) => quote(`${word}|${text}`)).join(", ")})`).join("\n")}
}
$PortcullisValues = @{
${nodes.flatMap(({ path, options }) => options.filter(({ values }) => values.length > 0).flatMap(({ flags, values }) => flags.map((flag) => `  ${quote([...path, flag].join(" "))} = @(${values.map(quote).join(", ")})`))).join("\n")}
}
Register-ArgumentCompleter -Native -CommandName portcullis -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '' -and $elements.Count -gt 0) { $elements = @($elements | Select-Object -SkipLast 1) }
  $path = ''
  foreach ($element in $elements) {
    $next = ($path + ' ' + $element).Trim()
    if ($PortcullisWords.ContainsKey($next)) { $path = $next }
  }
  $last = if ($elements.Count -gt 0) { $elements[-1] } else { '' }
  $values = $PortcullisValues[($path + ' ' + $last).Trim()]
  if ($values) {
    $values | Where-Object { $_ -like "$wordToComplete*" } |
      ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
    return
  }
  $PortcullisWords[$path] | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    $word, $text = $_.Split('|', 2)
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $text + ' ')
  }
}
`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
