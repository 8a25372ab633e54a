import type { ToolCall } from "@cogency/protocol";

/** One entry of `allowed-tools`: a tool, and which of its calls. */
export interface ToolPattern {
  readonly tool: string;
  /** What stands in the parentheses: `git:*` of `Bash(git:*)`. Every call of the tool if absent. */
  readonly calls?: string;
}

/** The names that texts of other agents give to tools of `@cogency/toolbox`. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Bash: ["shell"],
  Edit: ["edit", "replace"],
  Glob: ["list", "find"],
  Grep: ["find"],
  LS: ["list"],
  MultiEdit: ["edit", "replace"],
  Read: ["read"],
  WebFetch: ["scrape"],
  WebSearch: ["search"],
  Write: ["write"],
};

/** Reads an entry of `allowed-tools`. An entry of another agent's tool may stand for several of ours. */
export function toolPatterns(entry: string): ToolPattern[] {
  const [, name = entry, calls] = /^([^()]+)\((.*)\)$/s.exec(entry.trim()) ?? [];
  const tools = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? []) : [name.trim()];
  return tools.map((tool) => ({ tool, ...(calls !== undefined && calls.trim() !== "*" && { calls: calls.trim() }) }));
}

/** Whether a call is one of those that an entry names. */
export type CallMatcher = (call: ToolCall, calls: string) => boolean;

/** Whether one of the patterns names the call. Without a matcher for what stands in parentheses, such an entry names no call. */
export function isNamed(call: ToolCall, patterns: readonly ToolPattern[], matches: CallMatcher | undefined): boolean {
  return patterns.some(({ tool, calls }) => {
    if (tool !== call.name) return false;
    return calls === undefined || matches?.(call, calls) === true;
  });
}
