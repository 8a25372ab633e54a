import { declareCases } from "@cogency/protocol/testkit";
import { allCases } from "./cases/all-cases.ts";

/** Declarations for a store whose data ends when it is closed. */
export const withoutReopen = declareCases(allCases, "reopen", "its data ends with it");

/** Declarations for a store whose data other processes cannot open. */
export const withoutProcesses = declareCases(allCases, "elsewhere", "no other process can open its data");

/** Declarations for a store that carries no live pieces, such as one that redacts. */
export const withoutLive = declareCases(allCases, ({ name }) => name.startsWith("live"), "it carries no live pieces");
