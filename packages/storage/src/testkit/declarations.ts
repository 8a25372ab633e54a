import type { Need } from "./case.ts";
import { allCases } from "./cases/all-cases.ts";
import type { Declarations } from "./tested-store.ts";

/** Declarations for a store whose data ends when it is closed. */
export const withoutReopen = declare("reopen", "its data ends with it");

/** Declarations for a store whose data other processes cannot open. */
export const withoutProcesses = declare("elsewhere", "no other process can open its data");

function declare(need: Need, reason: string): Declarations {
  return Object.fromEntries(allCases.filter(({ needs }) => needs?.includes(need)).map(({ name }) => [name, reason]));
}
