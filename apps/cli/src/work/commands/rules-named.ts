import { toolPatterns } from "@cogency/skills/commands";

/** Rules that say what a list of tools of a command says: `shell:git diff **` for `Bash(git diff:*)`. */
export function rulesNamed(entries: readonly string[]): string[] {
  return entries.flatMap(toolPatterns).map(({ tool, calls }) => {
    if (calls === undefined) return tool;
    if (tool === "shell") return `shell:${calls.replace(/(?::|\s+)\*+$/, " **")}`;
    return `${tool}:${tool === "scrape" ? calls.replace(/^domain:/, "") : calls}`;
  });
}
