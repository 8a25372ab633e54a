import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { said } from "../test/support/samples.ts";
import { temporaryFolder } from "../test/support/temporary-folder.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { conversation: "c" };

describe("databaseStore", () => {
  it("leaves no byte of a deleted conversation in any file, even while the store is open", async () => {
    const path = join(temporaryFolder(), "store.db");
    const store = await sqliteStore({ path });
    await store.append({ conversation: "name-secret" }, [said(`text-secret ${"long ".repeat(5_000)} end-secret`)], {
      batch: "batch-secret",
    });
    await store.append(key, [said("not a word of that")]);
    expect(isInFiles(path, "text-secret")).toBe(true);
    await store.delete({ conversation: "name-secret" });
    expect(isInFiles(path, "-secret")).toBe(false);
    expect(isInFiles(path, "long long")).toBe(false);
    expect(isInFiles(path, "not a word")).toBe(true);
    await store.close();
  });

  it.each([1, 50, 400])(
    "leaves no byte of the messages, timers, claims and slots of a deleted conversation, of which %i were posted",
    async (count) => {
      for (const times of [1, 5, 20, 400]) {
        const path = join(temporaryFolder(), "store.db");
        const store = await sqliteStore({ path });
        const gone = { conversation: "name-secret", user: "user-secret" };
        for (let index = 0; index < count; index++) {
          const content = `text-secret-${index} `.repeat(times);
          await store.post(gone, { kind: "prompt", content, from: "from-secret" }, { id: `id-secret-${index}` });
          await store.post(key, { kind: "prompt", content: `kept${index} `.repeat(times) }, { id: `${index}` });
        }
        await store.append(gone, [said("event-secret")], { takes: ["id-secret-0"] });
        await (await store.slot("slot-secret", { limit: 1, owner: "owner", ttl: 60_000 }))?.release();
        await store.wake(gone, { id: "claimed-secret", at: 0 });
        await store.claim({ owner: "owner-secret", limit: 2, ttl: 60_000 });
        await store.wake(gone, { id: "waits-secret", at: 0 });
        expect(isInFiles(path, "claimed-secret")).toBe(true);
        await store.delete(gone);
        const [kept] = await store.inbox(key);
        expect(kept?.id).toBe("0");
        // The owner of a claim is a process, and holds the other conversation, too.
        for (const text of ["text", "name", "user", "from", "id", "event", "claimed", "waits", "slot"]) {
          expect(isInFiles(path, `${text}-secret`), text).toBe(false);
        }
        await store.close();
      }
    },
  );

  // How the rows fill the pages decides for which of these numbers SQLite leaves copies.
  it.each([60, 100, 300, 600])(
    "leaves no byte of %i deleted events in pages that contain rows of other conversations",
    async (count) => {
      for (const times of [1, 5, 10, 20]) {
        for (const others of [1, 400, 5_000]) {
          const path = join(temporaryFolder(), "store.db");
          const store = await sqliteStore({ path });
          const gone = Array.from({ length: count }, (_, index) => said(`text-secret-${index} `.repeat(times)));
          await store.append({ conversation: "gone" }, gone);
          const kept = Array.from({ length: 60 }, (_, index) => said(`kept${index} `.repeat(others)));
          await store.append(key, kept);
          await store.delete({ conversation: "gone" });
          expect(isInFiles(path, "text-secret")).toBe(false);
          expect(await store.load(key)).toHaveLength(60);
          await store.close();
        }
      }
    },
  );
});

function isInFiles(path: string, text: string): boolean {
  const folder = dirname(path);
  return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
}
