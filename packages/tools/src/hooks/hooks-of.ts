import {
  callback,
  checkOption,
  listOf,
  name,
  nearestNames,
  type OptionKind,
  object,
  required,
  wrongOption,
} from "@cogency/protocol/options";

/**
 * The option `hooks`: a list of hooks with these points. A hook without one is refused, and so is a method that looks like a point and
 * is none: a guard that is never called looks like one that allows. A hook may have other fields and methods of its own.
 */
export function hooksOf(points: readonly string[]): OptionKind {
  return listOf(
    {
      ...object,
      wanted: "a hook: an object with a name and its points",
      inside: (hook, path, _, where) => checkHook(where, path, hook as Record<string, unknown>, points),
    },
    "an array of hooks",
  );
}

function checkHook(where: string, path: string, hook: Record<string, unknown>, points: readonly string[]): void {
  checkOption(where, `${path}.name`, hook.name, required(name));
  checkOption(where, `${path}.priority`, hook.priority, number);
  for (const point of points) checkOption(where, `${path}.${point}`, hook[point], callback);
  const listed = `Its points are ${points.map((point) => `\`${point}\``).join(", ")}.`;
  const wrong = methodsOf(hook).find((method) => !points.includes(method) && isLikePoint(method, hook, points));
  if (wrong !== undefined) {
    const meant = meantBy(wrong, points);
    const guess = meant === undefined ? "" : `Did you mean \`${meant}\`? `;
    const problem = `${where}: \`${path}\` (${JSON.stringify(hook.name)}) has no point \`${wrong}\`.`;
    throw wrongOption(TypeError, `${path}.${wrong}`, `${problem} ${guess}${listed}`);
  }
  if (points.some((point) => hook[point] !== undefined)) return;
  const problem = `${where}: \`${path}\` (${JSON.stringify(hook.name)}) has no point, so it would never be called.`;
  throw wrongOption(TypeError, path, `${problem} ${listed}`);
}

const number: OptionKind = { wanted: "a number", isOfType: (value) => typeof value === "number" };

/** The names of the methods, also those of a class. */
function methodsOf(hook: object): string[] {
  const names = new Set<string>();
  for (
    let holder: object | null = hook;
    holder && holder !== Object.prototype;
    holder = Object.getPrototypeOf(holder)
  ) {
    for (const method of Object.getOwnPropertyNames(holder)) names.add(method);
  }
  names.delete("constructor");
  return [...names].filter((method) => typeof (hook as Record<string, unknown>)[method] === "function");
}

/** Whether it is near to the name of a point, or named as points are and not a method of a class. */
function isLikePoint(method: string, hook: object, points: readonly string[]): boolean {
  return (
    nearestNames(method, points).length > 0 ||
    (Object.hasOwn(hook, method) && /^(on|before|after|pre|post|will|did)[A-Z_]/.test(method))
  );
}

/** The point that another library calls by this name. */
function meantBy(method: string, points: readonly string[]): string | undefined {
  const [near] = nearestNames(method, points);
  const isAfter = /^(after|post|did)|end|finish|result|done|complete|response|output|stop/i.test(method);
  const things: readonly [RegExp, string, string][] = [
    [/tool|call/i, "beforeToolUse", "afterToolUse"],
    [/model|llm|request|response|generat|chat|completion|message/i, "beforeRequest", "afterResponse"],
    [/step|turn/i, "beforeStep", "afterStep"],
    [/error|fail/i, "onError", "onError"],
    [/./, "beforeRun", "afterRun"],
  ];
  const [, before, after] = things.find(([thing]) => thing.test(method)) ?? [];
  return near ?? points.find((point) => point === (isAfter ? after : before));
}
