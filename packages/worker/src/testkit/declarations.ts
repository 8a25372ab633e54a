import { declareCases } from "@cogency/protocol/testkit";
import { allCases } from "./cases/all-cases.ts";

/** Declarations for a dispatcher whose store other processes cannot open. */
export const withoutProcesses = declareCases(allCases, "elsewhere", "no other process can open it");

/** Declarations for a dispatcher whose engine and store end with the process. */
export const withoutRestart = declareCases(allCases, "restart", "it has nothing that could be restarted");
