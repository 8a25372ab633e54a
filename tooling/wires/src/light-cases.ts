/** Cases that take seconds each: they run with all others in `*.verify.test.ts`. */
const heavy = ["1,000 streams one after another", "a consumer that stalls makes the server wait"];

/** The cases of the provider's kit that take no seconds. */
export function lightCases<Case extends { name: string }>(cases: readonly Case[]): Case[] {
  const light = cases.filter(({ name }) => !heavy.some((start) => name.startsWith(start)));
  if (light.length !== cases.length - heavy.length) throw new Error("The names of the heavy cases have changed.");
  return light;
}
