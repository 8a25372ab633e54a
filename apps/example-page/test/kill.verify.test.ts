// @vitest-environment node
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { startServer, temporaryFolder } from "./support/start-server.ts";

describe("the server, started again", () => {
  it("goes on with a turn after a kill in the middle of a sentence", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "notes/list.txt"), "milk\n".repeat(30));
    const first = await startServer(folder);
    const before = first.conversation("notes");
    await before.send("read list.txt");
    await expect.poll(() => before.snapshot.parts.at(-1)).toMatchObject({ type: "text", open: true });
    await first.end("SIGKILL");

    const second = await startServer(folder);
    const after = second.conversation("notes");
    await expect.poll(() => after.snapshot.parts.at(-1)).toMatchObject({ type: "end", status: "completed" });
    const texts = after.snapshot.parts.filter(({ type }) => type === "text");
    expect(texts).toHaveLength(1);
    expect(JSON.stringify(texts).match(/milk/g)).toHaveLength(30);
  });
});
