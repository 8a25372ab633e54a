import { expect } from "vitest";
import { type MakeHarness, providerConformance, type WireHarness } from "../../src/testkit/index.ts";

/** Cases that take seconds each. The guide's own provider runs them; the variants change nothing that these cases look at. */
const heavyCases = ["1,000 streams one after another", "a consumer that stalls makes the server wait"];

/** Runs the cases of the kit but the heavy ones. @throws ConformanceError of the first that fails */
export async function runLightCases(name: string, make: MakeHarness<WireHarness>): Promise<void> {
  const cases = providerConformance(name, make);
  const light = cases.filter((one) => !heavyCases.some((heavy) => one.name.startsWith(heavy)));
  expect(light.length).toBe(cases.length - heavyCases.length);
  for (const { run } of light) await run();
}
