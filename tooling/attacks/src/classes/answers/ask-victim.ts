import { fileURLToPath } from "node:url";
import type { Place } from "../../harness/place.ts";

const victim = fileURLToPath(new URL("../../processes/answer-victim.ts", import.meta.url));
export const ownKey = "sk-own-key-of-the-user";

/** MiB of memory that an answer may add to the process, whatever its length. */
export const mostGrown = 200;

interface VictimReport {
  events: number;
  code: string;
  told: string;
  isLong: boolean;
  grown: number;
}

export async function askVictim(
  place: Place,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<VictimReport | string> {
  const { stdout, stderr, code, signal, isHung } = await place.program(process.execPath, [victim, ...words], {
    env,
    timeout: 50_000,
  });
  if (isHung) return "it did not end in 50 s";
  if (stdout === "") return `the process ended with ${code ?? signal}: ${stderr.slice(0, 200)}`;
  return JSON.parse(stdout) as VictimReport;
}
