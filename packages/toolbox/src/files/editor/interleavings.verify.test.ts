import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { createExecutor, createRegistry } from "@cogency/tools";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FakeEditor } from "../../../test/editor/fake-editor.ts";
import { toolbox } from "../../toolbox.ts";
import type { ChangeKeeper } from "../../undo/change-keeper.ts";

/** What happens: by the person in the editor, by another program on the disk, by the model. */
type Step =
  | { by: "person"; does: "type" | "save"; place: number }
  | { by: "program"; does: "write" | "tell" }
  | { by: "model"; does: "read" | "edit" | "write" };

const others = fc.oneof(
  fc.record({
    by: fc.constant("person" as const),
    does: fc.constantFrom("type" as const, "save" as const),
    place: fc.nat(50),
  }),
  fc.record({ by: fc.constant("program" as const), does: fc.constantFrom("write" as const, "tell" as const) }),
);
const models = fc.record({
  by: fc.constant("model" as const),
  does: fc.constantFrom("read" as const, "edit" as const, "write" as const),
});

it("no text of the person or of another program is lost, whatever happens between two answers of the editor", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(others, models), { maxLength: 12 }),
      // What happens before the editor answers the next reading.
      fc.array(fc.option(others, { nil: undefined, freq: 3 }), { maxLength: 20 }),
      async (steps, between) => {
        const world = await openWorld(between);
        try {
          await world.model("read");
          for (const step of steps) await world.take(step);
          const everywhere = world.everywhere();
          for (const word of world.words) expect(everywhere).toContain(word);
        } finally {
          world.remove();
        }
      },
    ),
    { numRuns: 200 },
  );
}, 300_000);

async function openWorld(between: readonly (Step | undefined)[]) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "cogency-editor-")));
  const path = join(root, "a.txt");
  writeFileSync(path, "one <mark0> two");
  const editor = new FakeEditor();
  const words = new Set<string>();
  const kept: string[] = [];
  const waiting = [...between];
  let mark = 0;

  const take = async (step: Step): Promise<void> => {
    if (step.by === "model") return await model(step.does);
    const word = `word${words.size};`;
    if (step.does === "write") {
      writeFileSync(path, `${readFileSync(path, "utf8")}${word}`);
      words.add(word);
    } else if (step.does === "tell") editor.reload(path);
    else if (step.does === "type") {
      await editor.read(path);
      const text = editor.buffers.get(path) ?? "";
      // Not into a word or a mark.
      const place = text.indexOf(" ", Math.min(step.place, text.length - 1));
      editor.type(path, place === -1 ? `${text} ${word}` : `${text.slice(0, place)} ${word}${text.slice(place)}`);
      words.add(word);
    }
    // It would ask whether to overwrite what another program has written.
    else if (!editor.isChangedBelow(path) && editor.buffers.has(path)) editor.save(path);
  };

  let isTyping = false;
  editor.reads = async (_, honest) => {
    const step = isTyping ? undefined : waiting.shift();
    isTyping = true;
    if (step) await take(step);
    isTyping = false;
    return honest();
  };

  const nothing = { check: async () => {}, done: async () => {}, discard: async () => {} };
  const undo: ChangeKeeper = {
    keep: async (_, __, files) => {
      const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      for (const { before } of files) kept.push(before ? decode(before) : readFileSync(path, "utf8"));
      return nothing;
    },
    watch: async () => ({ ended: async () => {} }),
  };
  const tools = await toolbox({ root, access: "project", include: ["read", "edit", "write"], files: editor, undo });
  const executor = createExecutor({ registry: createRegistry(tools), approval: { policy: () => "allow" } });

  async function model(does: "read" | "edit" | "write"): Promise<void> {
    const next = `<mark${mark + 1}>`;
    const args: Record<typeof does, JsonObject> = {
      read: { file: "a.txt" },
      edit: { file: "a.txt", edits: [{ old: `<mark${mark}>`, new: next }] },
      write: { file: "a.txt", content: `all ${next} new`, overwrite: true },
    };
    const [execution] = await executor.run([{ name: does, args: args[does] }], { conversation: "c" });
    if (does !== "read" && execution?.outcome === "success") mark += 1;
  }

  return {
    words,
    take,
    model,
    everywhere: () =>
      [existsSync(path) ? readFileSync(path, "utf8") : "", editor.buffers.get(path) ?? "", ...kept].join("\n"),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
