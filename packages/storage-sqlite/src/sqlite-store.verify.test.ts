import { storeConformance, withoutProcesses, withoutReopen } from "@cogency/storage/testkit";
import { describe, it } from "vitest";
import { fileCases } from "../test/support/file-cases.ts";
import { sqliteStore } from "./sqlite-store.ts";

describe("sqliteStore in a file, with processes", () => {
  for (const { name, run } of fileCases.filter((one) => one.name in withoutProcesses)) it(name, run);
});

describe("sqliteStore in memory", () => {
  const make = async () => ({ store: await sqliteStore({ path: ":memory:" }) });
  const declarations = { ...withoutReopen, ...withoutProcesses };
  for (const { name, run } of storeConformance("sqliteStore in memory", make, declarations)) it(name, run);
});
