import { nearestNames } from "@cogency/tools";
import { hookPoints } from "./hook-points.ts";

/**
 * Refuses what is no hook, and a method that looks like a misspelt point: a guard that is never called looks like one that allows. A
 * hook may have other fields of its own.
 *
 * @throws TypeError
 */
export function checkHooks(hooks: unknown, where = "hooks"): void {
  if (!Array.isArray(hooks)) throw new TypeError(`\`${where}\` is no array; give an array of hooks.`);
  for (const [index, hook] of hooks.entries()) checkHook(hook, `${where}[${index}]`);
}

function checkHook(hook: unknown, path: string): void {
  if (typeof hook !== "object" || hook === null) throw new TypeError(`\`${path}\` is no object; give a hook.`);
  const { name, priority, ...others } = hook as Record<string, unknown>;
  if (typeof name !== "string" || name === "") {
    throw new TypeError(`\`${path}\` has no name; give one: messages name the hook by it.`);
  }
  if (priority !== undefined && typeof priority !== "number") {
    throw new TypeError(`\`${path}.priority\` of the hook ${JSON.stringify(name)} is no number.`);
  }
  for (const point of hookPoints) {
    const method = (hook as Record<string, unknown>)[point];
    if (method === undefined || typeof method === "function") continue;
    throw new TypeError(`\`${path}.${point}\` of the hook ${JSON.stringify(name)} is no function.`);
  }
  for (const [field, value] of Object.entries(others)) {
    if (typeof value !== "function" || hookPoints.includes(field)) continue;
    const [nearest] = nearestNames(field, hookPoints);
    if (nearest === undefined) continue;
    throw new TypeError(
      `\`${path}\` (${JSON.stringify(name)}) has no point \`${field}\`: did you mean \`${nearest}\`? The points are ${hookPoints.join(", ")}.`,
    );
  }
}
