import type { ToolCall } from "@cogency/protocol";

/** One entry of `allowed-tools`: a tool, and which of its calls. */
export interface ToolPattern {
  readonly tool: string;
  /** What stands in the parentheses: `git:*` of `Bash(git:*)`. Every call of the tool if absent. */
  readonly calls?: string;
}

/** The names that files of other agents give to tools of ours, also in the small letters of opencode; none for those that are not here. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  Agent: ["agent"],
  AskUserQuestion: [],
  Bash: ["shell"],
  BashOutput: ["shell_output"],
  Edit: ["edit", "replace"],
  ExitPlanMode: [],
  Glob: ["list", "find"],
  Grep: ["find"],
  KillBash: ["shell_stop"],
  KillShell: ["shell_stop"],
  LS: ["list"],
  LSP: [],
  MultiEdit: ["edit", "replace"],
  NotebookEdit: [],
  NotebookRead: [],
  Read: ["read"],
  Skill: ["skill"],
  Task: ["agent"],
  TodoRead: [],
  TodoWrite: [],
  WebFetch: ["scrape"],
  WebSearch: ["search"],
  Write: ["write"],
  bash: ["shell"],
  codesearch: [],
  glob: ["list", "find"],
  grep: ["find"],
  lsp: [],
  multiedit: ["edit", "replace"],
  patch: ["edit", "replace"],
  question: [],
  task: ["agent"],
  todoread: [],
  todowrite: [],
  webfetch: ["scrape"],
  websearch: ["search"],
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
