/** Names of cases that do not apply to an implementation, each with the reason. */
export type Declarations = Readonly<Record<string, string>>;

/**
 * Declares cases, all with one reason.
 *
 * @param which those that have this need, or those that the filter selects
 */
export function declareCases<Case extends { name: string; needs?: readonly string[] }>(
  cases: readonly Case[],
  which: NonNullable<Case["needs"]>[number] | ((one: Case) => boolean),
  reason: string,
): Declarations {
  const isDeclared = typeof which === "function" ? which : ({ needs }: Case) => needs?.includes(which) === true;
  return Object.fromEntries(cases.filter(isDeclared).map(({ name }) => [name, reason]));
}

/**
 * Undefined for a case that must pass. A case named like a member of every object (`toString`) is not declared by it.
 */
export function declaredReason(declare: Declarations, name: string): string | undefined {
  return Object.hasOwn(declare, name) ? declare[name] : undefined;
}

/** Throws unless each declaration names a case of the kit and gives a reason. */
export function checkDeclarations(declare: Declarations, cases: readonly { name: string }[]): void {
  const known = new Set(cases.map(({ name }) => name));
  const unknown = Object.keys(declare).filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`The kit has no case ${unknown.map((name) => `"${name}"`).join(", ")}.`);
  const bare = Object.entries(declare).find(([, reason]) => reason.trim() === "");
  if (bare) throw new Error(`The declared case "${bare[0]}" needs a reason.`);
}

/**
 * Throws if the implementation lacks something that a case needs: such a case must be declared, or it fails.
 *
 * @param missing returns a sentence that names what is missing, or undefined if the need is met
 */
export function checkNeeds<Need>(
  needs: readonly Need[] | undefined,
  missing: (need: Need) => string | undefined,
): void {
  for (const need of needs ?? []) {
    const problem = missing(need);
    if (problem !== undefined) throw new Error(`${problem} If that is so, declare the case.`);
  }
}
