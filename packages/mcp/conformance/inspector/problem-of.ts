import type { Era, InspectorCall } from "./calls.ts";
import type { Inspection } from "./fetch-inspector.ts";

/** What a call gave in place of what it should, in lines; undefined if it is right. */
export function problemOf(
  { code, stdout, stderr }: Inspection,
  { holds, code: wanted = 0, isSigned = false }: InspectorCall,
  era: Era,
): string | undefined {
  const problems: string[] = [];
  if (code !== wanted) problems.push(`It ended with ${code} in place of ${wanted}.`);
  if (!holds.test(stdout)) problems.push(`Its result does not hold ${holds}.`);
  const isModern = stdout.includes("io.modelcontextprotocol/serverInfo");
  if (isSigned && isModern !== (era !== "legacy")) problems.push("The server answered in another era.");
  if (problems.length === 0) return undefined;
  return [...problems, stdout.slice(0, 1000), stderr.slice(0, 1000)].map((line) => `  ${line.trim()}\n`).join("");
}
