import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openRoot } from "../../src/files/confine/root.ts";
import { editTool } from "../../src/files/edit-tool.ts";
import { replaceTool } from "../../src/files/replace-tool.ts";
import { writeTool } from "../../src/files/write-tool.ts";
import { call } from "../call.ts";
import { key, openCopies } from "./task.ts";

const names = ["a.txt", "b.txt"] as const;
type Name = (typeof names)[number];

/** What happens in turn. `undo` goes back before the entry with this number, of those that there are. */
type Action =
  | { by: "write" | "edit" | "person"; name: Name; word: string }
  | { by: "replace"; from: string; to: string }
  | { by: "delete"; name: Name }
  | { by: "undo"; entry: number };

const name = fc.constantFrom(...names);
const word = fc.constantFrom("one", "two", "three");
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constantFrom("write", "edit"), name, word }) },
  { weight: 2, arbitrary: fc.record({ by: fc.constant("replace"), from: word, to: word }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant("person"), name, word }) },
  { weight: 1, arbitrary: fc.record({ by: fc.constant("delete"), name }) },
  { weight: 3, arbitrary: fc.record({ by: fc.constant("undo"), entry: fc.nat({ max: 20 }) }) },
) as fc.Arbitrary<Action>;

/**
 * Lets an agent, a person and undos change two files in random order, and compares them with the law after each action: an undo
 * brings a file back to what it held before the first change from the point on, if each of the changes since found the file as the
 * one before had left it, and it is still as the last one left it. Otherwise the file stays as it is.
 */
export async function checkLaw(options: { numRuns: number; seed: number }): Promise<void> {
  await fc.assert(fc.asyncProperty(fc.array(action, { minLength: 4, maxLength: 14 }), follow), options);
}

/** The content of each file before and after one entry; undefined for no file. */
type Change = Map<Name, [before: string | undefined, after: string | undefined]>;

async function follow(actions: readonly Action[]): Promise<void> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cogency-undo-")));
  try {
    const opened = await openRoot(base, { access: "project", guarded: [join(base, "undo")] });
    const undo = openCopies(base);
    const [write, edit, replace] = [
      writeTool(opened, { undo }),
      editTool(opened, { undo }),
      replaceTool(opened, { undo }),
    ];
    const look = async () =>
      new Map(await Promise.all(names.map(async (file) => [file, await textOf(base, file)] as const)));
    const entries: Change[] = [];
    for (const action of actions) {
      const before = await look();
      if (action.by === "person") await writeFile(join(base, action.name), `person ${action.word}\n`);
      else if (action.by === "delete") await rm(join(base, action.name), { force: true });
      else if (action.by === "undo") {
        const all = await undo.entries(key);
        if (all.length !== entries.length) throw new Error(`${all.length} entries instead of ${entries.length}`);
        const from = action.entry % Math.max(1, all.length);
        const entry = all[from];
        if (entry === undefined) continue;
        await undo.undo(key, { from: entry.id });
        const after = await look();
        for (const file of names) {
          const expected = undone(file, entries.slice(from), before.get(file));
          if (after.get(file) !== expected) throw new Error(`${file} is ${after.get(file)}, and not ${expected}`);
        }
      } else if (action.by === "write") {
        await call(write, { file: action.name, content: `agent ${action.word}\n`, overwrite: true });
      } else if (action.by === "replace") {
        await call(replace, { find: action.from, with: action.to }).catch(() => {});
      } else {
        await call(edit, { file: action.name, edits: [{ old: "\n", new: ` ${action.word}\n` }] }).catch(() => {});
      }
      if (action.by === "person" || action.by === "delete") continue;
      const after = await look();
      const changed = names.filter((file) => after.get(file) !== before.get(file) || isWritten(action, file));
      if (changed.length > 0) entries.push(new Map(changed.map((file) => [file, [before.get(file), after.get(file)]])));
    }
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A write is an entry also if the file has the same content afterwards. */
function isWritten(action: Action, file: Name): boolean {
  return action.by === "write" && action.name === file;
}

function undone(file: Name, entries: readonly Change[], now: string | undefined): string | undefined {
  const changes = entries.map((entry) => entry.get(file)).filter((change) => change !== undefined);
  const isUnbroken = changes.every(
    ([, after], index) => after === (index + 1 < changes.length ? changes[index + 1]?.[0] : now),
  );
  const [first] = changes;
  return first !== undefined && isUnbroken ? first[0] : now;
}

async function textOf(base: string, file: Name): Promise<string | undefined> {
  return readFile(join(base, file), "utf8").catch(() => undefined);
}
