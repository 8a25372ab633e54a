import { storeConformance, withoutProcesses, withoutReopen } from "@cogency/storage/testkit";
import { describe, it } from "vitest";
import { longFileCases } from "../test/support/file-cases.ts";
import { sqliteStore } from "./sqlite-store.ts";

describe("sqliteStore in a file", () => {
  for (const { name, run } of longFileCases) it(name, run);
});

describe("sqliteStore in memory", () => {
  const make = async () => ({ store: await sqliteStore({ path: ":memory:" }) });
  const declarations = { ...withoutReopen, ...withoutProcesses };
  for (const { name, run } of storeConformance("sqliteStore in memory", make, declarations)) it(name, run);
});
