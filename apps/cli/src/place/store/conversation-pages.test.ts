import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { allNames } from "../../work/export/all-names.ts";
import { conversationPages } from "./conversation-pages.ts";

/** Of one page of a list. */
const mostAtOnce = 1000;

it("no file of the app lists conversations without a small limit, but the one that reads pages", () => {
  const folder = join(import.meta.dirname, "../..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("page"),
  );
  const calls = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), "utf8");
    // A limit may be a constant of the file.
    const numberOf = (limit: string) =>
      /^\d/.test(limit) ? limit : new RegExp(`const ${limit} = (\\d+);`).exec(text)?.[1];
    return Array.from(text.matchAll(/\.conversations\(([^)]*)\)/g), ([, options = ""]) => {
      const [, limit] = /\blimit: (\w+)\b/.exec(options) ?? [];
      return { name, limit: Number(limit && numberOf(limit)) };
    });
  });
  expect(calls.length).toBeGreaterThan(3);
  const wide = calls.filter(({ limit }) => !(limit <= mostAtOnce));
  expect(wide.map(({ name }) => name)).toEqual(["place/store/conversation-pages.ts"]);
});

describe("while others write", () => {
  async function filled(count: number) {
    const store = memoryStore();
    for (let index = 0; index < count; index++) await say(store, `c${index}`);
    return store;
  }
  const say = (store: Store, conversation: string) =>
    store.append({ conversation }, [{ type: "user", timestamp: 1, content: "x" }]);

  it("pages go on behind the last conversation that is still there, each once within a limit", async () => {
    const inner = await filled(1200);
    const store: Store = {
      ...inner,
      async conversations(options) {
        const page = await inner.conversations(options);
        for (const { conversation } of page.slice(-3)) await inner.delete({ conversation });
        return page;
      },
    };
    const found: string[] = [];
    for await (const page of conversationPages(store, { limit: 2000 }))
      found.push(...page.map((one) => one.conversation));
    expect(found).toEqual(Array.from({ length: 1200 }, (_, index) => `c${1199 - index}`));
  });

  it("those of agents are left out, and still count for all names", async () => {
    const store = await filled(3);
    for (let at = 0; at < 120; at++) await say(store, `subagent-${at.toString(16).padStart(40, "0")}`);
    const found: string[] = [];
    for await (const page of conversationPages(store, { limit: 2 })) found.push(...page.map((one) => one.conversation));
    expect(found).toEqual(["c2", "c1"]);
    expect(await allNames(store, undefined)).toHaveLength(123);
  });

  it("all names are found, also of conversations that move up between two pages", async () => {
    const inner = await filled(1200);
    let pages = 0;
    const store: Store = {
      ...inner,
      async conversations(options) {
        const page = await inner.conversations(options);
        // More than a page of conversations that were read, and one that was not, under them.
        if (++pages === 1) {
          await say(inner, "c5");
          for (let index = 0; index < 600; index++) await say(inner, `c${1199 - index}`);
        }
        return page;
      },
    };
    const names = await allNames(store, undefined);
    expect(names).toHaveLength(1200);
    expect(new Set(names).size).toBe(1200);
    expect(names[0]).toBe("c0");
  });
});
