import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { calling, place } from "./support/command-line.ts";

describe("cogency run --redact", () => {
  const run = ["run", "password=canary1 is it", "--conversation", "c"];
  const read = calling([{ name: "read", args: { file: "secrets.env" } }]);

  it("keeps secrets out of the store, and the run goes on without them", async () => {
    const { cogency, folder, store: path } = place();
    writeFileSync(join(folder, "secrets.env"), "API_KEY=canary2\nUSER=me\n");
    expect(await cogency([...run, ...read, "--redact"])).toMatchObject({ code: 0, stdout: "That was it.\n" });
    const store = await sqliteStore({ path });
    const events = JSON.stringify(await store.load({ conversation: "c" }));
    await store.close();
    expect(events).toContain("password=[redacted] is it");
    expect(events).toContain("API_KEY=[redacted]");
    expect(events).toContain("USER=me");
    expect(readFileSync(path, "latin1")).not.toContain("canary");
  });

  it("keeps secrets in the store without --redact, because the agent continues from the stored events", async () => {
    const { cogency, folder } = place();
    writeFileSync(join(folder, "secrets.env"), "API_KEY=canary2\n");
    await cogency([...run, ...read]);
    const { stdout } = await cogency(["history", "show", "c", "--json"]);
    expect(stdout).toContain("canary1");
    expect(stdout).toContain("canary2");
  });
});
