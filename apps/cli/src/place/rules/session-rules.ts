/**
 * What a person has allowed for this session: rules as `--allow` takes them, held in memory and written to no file. They only
 * allow, so that deny and ask rules, the mode, the sandbox and what speaks against a call are as strong as without them.
 */
export interface SessionRules {
  /** The same list until a rule is added or dropped. */
  now(): readonly string[];
  add(rules: readonly string[]): void;
  /** Calls that it names are asked about again. Returns whether there was such a rule. */
  drop(rule: string): boolean;
  /** Drops all, and returns how many they were. */
  clear(): number;
}

export function sessionRules(): SessionRules {
  let rules: readonly string[] = [];
  const keep = (isKept: (rule: string) => boolean) => {
    const before = rules.length;
    rules = rules.filter(isKept);
    return before - rules.length;
  };
  return {
    now: () => rules,
    add(added) {
      rules = [...new Set([...rules, ...added])];
    },
    drop: (rule) => keep((one) => one !== rule) > 0,
    clear: () => keep(() => false),
  };
}
