import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openRoot } from "../../src/files/confine/root.ts";
import { type Deed, deed, doDeed, treeOf } from "./deeds.ts";
import { key, openCopies } from "./task.ts";

/** Whether two commands run one after another, at the same time, or the process of the second one is killed. */
type Course = "after" | "overlapping" | "cut off";

/**
 * Lets random commands change a random tree, and checks that an undo gives the tree back exactly, and that an undo of the undo gives
 * back what the commands had made.
 */
export async function checkTreeLaw(options: { numRuns: number; seed: number }): Promise<void> {
  const deeds = fc.array(deed, { minLength: 1, maxLength: 6 });
  const course = fc.constantFrom<Course>("after", "overlapping", "cut off");
  await fc.assert(fc.asyncProperty(fc.array(deed, { maxLength: 12 }), deeds, deeds, course, follow), options);
}

async function follow(given: readonly Deed[], first: readonly Deed[], second: readonly Deed[], course: Course) {
  const base = await realpath(await mkdtemp(join(tmpdir(), "cogency-undo-")));
  const root = join(base, "root");
  try {
    await mkdir(join(root, "d/e"), { recursive: true });
    for (const deed of given) await doDeed(root, deed);
    const before = await treeOf(root);
    const undo = openCopies(base);
    const opened = await openRoot(root, { access: "project" });
    const watch = (id: string) =>
      undo.watch(opened, { call: { id, name: "shell", args: {} }, ...key, user: undefined });
    const one = await watch("call_1");
    for (const deed of first) await doDeed(root, deed);
    if (course !== "overlapping") await one.ended();
    const two = await watch("call_2");
    for (const deed of second) await doDeed(root, deed);
    if (course === "overlapping") await one.ended();
    if (course !== "cut off") await two.ended();
    const after = await treeOf(root);
    const [from] = await openCopies(base).entries(key);
    if (from === undefined) return same(after, before, "nothing was noted");
    const undone = await openCopies(base).undo(key, { from: from.id });
    same(await treeOf(root), before, "after the undo");
    const own = (await undo.entries(key)).find(({ call }) => call === undone.id);
    if (own === undefined) return same(after, before, "nothing was undone");
    await openCopies(base).undo(key, { from: own.id });
    same(await treeOf(root), after, "after the undo of the undo");
  } finally {
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

function same(now: Record<string, string>, expected: Record<string, string>, when: string): void {
  const [a, b] = [now, expected].map((tree) => JSON.stringify(tree, undefined, 1));
  if (a !== b) throw new Error(`${when}: ${a}\ninstead of ${b}`);
}
