import { conformance } from "./conformance.js";

/**
 * The report that a launcher reads: the runtime, how it loaded the package, and the results of the vectors.
 *
 * @param {string} how
 * @param {Parameters<typeof conformance>[0]} protocol
 * @param {Parameters<typeof conformance>[1]} testkit
 */
export async function report(how, protocol, testkit) {
  return { ...(await runtime()), how, ...conformance(protocol, testkit) };
}

/** The name and version that the runtime reports. */
export async function runtime() {
  const { Bun, Deno, process, navigator } = /** @type {Globals} */ (/** @type {unknown} */ (globalThis));
  if (Bun) return { name: "Bun", version: Bun.version };
  if (Deno) return { name: "Deno", version: Deno.version.deno };
  if (process) return { name: "Node", version: process.versions.node };
  const { uaFullVersion } = await navigator.userAgentData.getHighEntropyValues(["uaFullVersion"]);
  return { name: "Chromium", version: uaFullVersion };
}

/**
 * @typedef {{
 *   Bun?: { version: string },
 *   Deno?: { version: { deno: string } },
 *   process?: { versions: { node: string } },
 *   navigator: { userAgentData: { getHighEntropyValues(hints: string[]): Promise<{ uaFullVersion: string }> } },
 * }} Globals
 */
