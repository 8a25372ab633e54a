import { hookProblem } from "@cogency/hook-programs";

/** Says what is wrong with the key `hooks` of a configuration: a line for each hook that is wrong. */
export function hooksProblems(hooks: unknown): string[] {
  if (hooks === undefined) return [];
  if (!Array.isArray(hooks) || hooks.length > most)
    return [
      `hooks has to be a list of at most ${most} hooks, such as [{"at": "beforeToolUse", "command": "node check.js"}].`,
    ];
  return hooks.flatMap((hook, index) => hookProblem(hook, `hooks[${index}]`) ?? []);
}

const most = 100;
