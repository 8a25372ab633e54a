import { mkdir, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readRegularText } from "../base/files/read-regular-file.ts";

/** The names that servers gave when they were last asked, so that a completion need not ask them. */
export function knownModelsFile(environment: NodeJS.ProcessEnv = process.env): string {
  const { XDG_CACHE_HOME: given } = environment;
  return join(given && isAbsolute(given) ? given : join(homedir(), ".cache"), "cogency", "models.json");
}

/** Keeps the names, by server. The cache is a help only: where it cannot be written, nothing is kept. */
export async function keepModelNames(found: Readonly<Record<string, readonly string[]>>): Promise<void> {
  if (Object.keys(found).length === 0) return;
  const path = knownModelsFile();
  const draft = `${path}.${process.pid}`;
  try {
    await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
    await writeFile(draft, JSON.stringify({ ...(await knownModels()), ...found }), { mode: 0o600 });
    await rename(draft, path);
  } catch {}
}

/** The names that are kept, by server; empty where there are none. */
export async function knownModels(): Promise<Readonly<Record<string, readonly string[]>>> {
  try {
    const kept: unknown = JSON.parse(readRegularText(knownModelsFile()) ?? "{}");
    const isKept = typeof kept === "object" && kept !== null && Object.values(kept).every(isNames);
    return isKept ? (kept as Record<string, string[]>) : {};
  } catch {
    return {};
  }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
