import { readFile } from "node:fs/promises";
import { suiteFolder } from "./suite-folder.ts";

export interface List {
  readonly name: string;
  readonly role: "server" | "client";
  readonly revision: string;
  /** Scenarios that it requires: the lists are frozen. */
  readonly scenarios: number;
  /** Their names, where the suite requires none: those of an extension that servers may leave out. */
  readonly names?: readonly string[];
}

/**
 * The extension of tasks, without what the server leaves out: tools that run only as tasks (`tasks-required-task-error`), and questions
 * before a task begins (`tasks-mrtr-composition`).
 */
const ofTasks = [
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
];

export const lists: readonly List[] = [
  { name: "server-2025-11-25", role: "server", revision: "2025-11-25", scenarios: 30 },
  { name: "client-2025-11-25", role: "client", revision: "2025-11-25", scenarios: 18 },
  { name: "server-2026-07-28", role: "server", revision: "2026-07-28", scenarios: 37 },
  { name: "server-tasks-2026-07-28", role: "server", revision: "2026-07-28", scenarios: 7, names: ofTasks },
  { name: "client-2026-07-28", role: "client", revision: "2026-07-28", scenarios: 32 },
];

/** The names of the scenarios that a list requires, as the suite has them. */
export async function requiredBy({ role, revision, names }: List): Promise<readonly string[]> {
  if (names) return names;
  const text = await readFile(new URL(`requirements/${revision}.yaml`, suiteFolder), "utf8");
  const [, block = ""] = new RegExp(`^${role}:\\n((?:  - .+\\n)+)`, "m").exec(text) ?? [];
  return block.split("\n").flatMap((line) => /^ {2}- (\S+)$/.exec(line)?.[1] ?? []);
}
