import { isKeywords, listOf } from "./keywords.ts";

/**
 * Of alternatives that only demand keys, those of which a value fits exactly one: with the keys of one, those of the others are
 * left out. Other alternatives stay as they are.
 */
export function oneByKeys(branches: readonly unknown[]): readonly unknown[] {
  const demanded = branches.map(demandedKeys);
  if (demanded.some((keys) => keys === undefined)) return branches;
  return demanded.map((own = [], index) => {
    const further = demanded.toSpliced(index, 1).map((keys = []) => keys.filter((key) => !own.includes(key)));
    // What fits this one fits another one, too.
    if (further.some((keys) => keys.length === 0)) return false;
    return { required: own, properties: Object.fromEntries(further.flat().map((key) => [String(key), false])) };
  });
}

function demandedKeys(branch: unknown): readonly unknown[] | undefined {
  return isKeywords(branch) && Object.keys(branch).join() === "required" ? listOf(branch.required) : undefined;
}
