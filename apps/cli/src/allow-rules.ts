import { ShellError, shellRule } from "@cogency/toolbox";
import type { ApprovalDecision, ApprovalPolicy } from "@cogency/tools";
import { namedTools } from "./tool-names.ts";
import { UsageError } from "./usage-error.ts";

/** The decisions by tool of ApprovalRules, to which a run may add. */
export type AllowRules = Record<string, ApprovalDecision | ApprovalPolicy>;

/**
 * What the values of `--allow` say: tools, separated by commas, and `shell:` with a pattern of commands, which is all
 * that follows.
 *
 * @throws UsageError if there is no such tool, or the pattern would allow more than it says
 */
export function allowRules(values: readonly string[]): AllowRules {
  const names: string[] = [];
  const patterns: string[] = [];
  for (const value of values) {
    const { tools, pattern } = /^(?:(?<tools>.*?),)?\s*shell:(?<pattern>.*)$/s.exec(value)?.groups ?? { tools: value };
    if (tools !== undefined) names.push(...namedTools("--allow", tools));
    if (pattern !== undefined) patterns.push(pattern);
  }
  return {
    ...(patterns.length > 0 && { shell: checkedRule(patterns) }),
    ...Object.fromEntries(names.map((name) => [name, "allow" as const])),
  };
}

function checkedRule(patterns: readonly string[]): ApprovalPolicy {
  try {
    return shellRule(patterns);
  } catch (error) {
    if (error instanceof ShellError) throw new UsageError(`--allow: ${error.message}`, { cause: error });
    throw error;
  }
}
