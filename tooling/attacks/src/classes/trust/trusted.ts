import type { Place } from "../../harness/place.ts";

/** A person looks at a folder, and trusts it. */
export async function trustNow(place: Place, cwd = place.root): Promise<void> {
  const { code, stderr } = await place.cogency(["trust", "--yes"], { cwd });
  if (code !== 0) throw new Error(`The folder cannot be trusted: ${stderr}`);
}

/** A provider module that leaves a file when it is loaded. */
export function evilModule(mark: string): string {
  return `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, ""); export default () => ({});`;
}

/** The same as CommonJS. */
export function evilScript(mark: string): string {
  return `require("node:fs").writeFileSync(${JSON.stringify(mark)}, ""); module.exports = [];`;
}
