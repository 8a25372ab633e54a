import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { calling, models, ownProcesses } from "./support/command-line.ts";
import { hasTmux, tmuxTerminal } from "./support/tmux-terminal.ts";

interface Tree {
  conversation: string;
  at?: number;
  points: { name: string; at: number }[];
  turns: { number: number; text: string; files: number; points: { name: string }[] }[];
  forks: Tree[];
}

/** A conversation that writes a file in each of three turns. */
async function threeFiles() {
  const place = ownProcesses();
  const { cogency, folder } = place;
  const work = join(folder, "work");
  mkdirSync(work);
  const turn = (prompt: string, content: string) =>
    cogency(
      [
        ...["run", prompt, "--conversation", "c", "--yes"],
        ...calling([{ name: "write", args: { file: "a.txt", content, overwrite: true } }]),
      ],
      { cwd: work },
    );
  for (const text of ["one", "two", "three"]) expect((await turn(`write ${text}`, text)).code).toBe(0);
  const tree = async (of = "c") => JSON.parse((await cogency(["tree", of, "--json"])).stdout) as Tree;
  return { ...place, work, tree, text: () => readFileSync(join(work, "a.txt"), "utf8") };
}

describe("named points", () => {
  it("are shown by tree, and taken by fork and rewind, which restores the files of the point, and back", async () => {
    const { cogency, work, tree, text } = await threeFiles();
    expect(await cogency(["mark", "c", "before", "three", "--at", "turn:3"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Named: "before three", after \d+ events\.\n$/),
    });
    await cogency(["mark", "c", "the", "end"]);
    const { points, turns } = await tree();
    expect(points.map(({ name }) => name)).toEqual(["before three", "the end"]);
    expect(turns.map(({ text, files, points }) => [text, files, points.map(({ name }) => name)])).toEqual([
      ["write one", 1, []],
      ["write two", 1, []],
      ["write three", 1, ["before three"]],
    ]);
    expect(await cogency(["fork", "c", "--at", "before three", "--as", "other"])).toMatchObject({ stdout: "other\n" });
    const forked = await tree("other");
    expect(forked).toMatchObject({ conversation: "c", forks: [{ conversation: "other", at: points[0]?.at }] });
    expect(forked.forks[0]?.points.map(({ name }) => name)).toEqual(["before three"]);
    const shown = await cogency(["tree", "other"]);
    expect(shown.stdout).toMatch(
      /^c · .*\n[\s\S]*3 {2}write three · "before three" · .* · 1 file\n[\s\S]*└ other, this one · .* · after turn 2\n$/,
    );

    const back = await cogency(["rewind", "c", "--files", "--to", "before three", "--yes"], { cwd: work });
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('"before three", before turn 3') });
    expect(text()).toBe("two");
    const [, undo = ""] = /--to (undo_\w+)/.exec(back.stdout) ?? [];
    await cogency(["rewind", "c", "--files", "--to", undo, "--yes"], { cwd: work });
    expect(text()).toBe("three");
    await cogency(["mark", "c", "the end", "--remove"]);
    expect((await tree()).points.map(({ name }) => name)).toEqual(["before three"]);
    expect(await cogency(["fork", "c", "--at", "the end"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no point "the end"'),
    });
  });

  it("are all kept that two terminals give while others fork", async () => {
    const { cogency, tree } = await threeFiles();
    const names = Array.from({ length: 6 }, (_, n) => `name ${n}`);
    const done = await Promise.all([
      ...names.map((name, n) => cogency(["mark", "c", name, "--at", `turn:${(n % 3) + 1}`])),
      ...["x", "y"].map((fork) => cogency(["fork", "c", "--at", "turn:2", "--as", fork])),
    ]);
    expect(done.map(({ code }) => code)).toEqual(done.map(() => 0));
    const { points, forks } = await tree();
    expect(points.map(({ name }) => name).toSorted()).toEqual(names);
    expect(forks.map(({ conversation }) => conversation).toSorted()).toEqual(["x", "y"]);
  });

  it("of a hostile log are shown only where they have an effect, and none steers the terminal", async () => {
    const { cogency, folder } = ownProcesses();
    const record = (name: unknown, at: unknown) => ({
      type: "record",
      kind: "point",
      data: { name, at },
      timestamp: 1,
    });
    const events = [
      { type: "user", content: "a\u001b[2J", timestamp: 1 },
      { type: "call", content: '{"name":"x","args":{}}', id: "call_1", timestamp: 1 },
      ...[record("inside", 2), record("far", 99), record("a\u001b]0;x\u0007", 1), record(7, 1), record("fine", 1)],
    ];
    const file = join(folder, "log.jsonl");
    const head = { type: "conversation", version: 1, conversation: "hostile", events: events.length };
    const lines = [head, ...events.map((event, index) => ({ ...event, seq: index + 1 }))];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const imported = await cogency(["history", "import", file]);
    expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
    const tree = await cogency(["tree", "hostile"]);
    expect(tree.code).toBe(0);
    expect(tree.stdout).not.toContain("\u001b");
    expect(tree.stdout).toContain('"fine"');
    expect(tree.stdout).not.toContain("far");
    const inside = await cogency(["fork", "hostile", "--at", "inside"]);
    expect(inside).toMatchObject({ code: 2, stderr: expect.stringContaining("inside of an open batch") });
  });
});

/** The id of the latest undo, in the journal that was written last. */
function lastUndo(folder: string): string {
  const undo = join(folder, ".cogency", "undo");
  const journals = readdirSync(undo).map((name) => join(undo, name, "journal.jsonl"));
  const [last = ""] = journals
    .filter((file) => existsSync(file))
    .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  return (
    readFileSync(last, "utf8")
      .match(/undo_\w+/g)
      ?.at(-1) ?? ""
  );
}

describe("a process that is killed", () => {
  const killAt = fileURLToPath(new URL("fixtures/kill-at.mjs", import.meta.url));

  /** Carries out the command again and again, killed one place later each time, until it comes to its end; the places are `apart`. */
  async function killedEverywhere(
    { cogency, work }: Awaited<ReturnType<typeof threeFiles>>,
    args: (round: number) => string[],
    { apart, after }: { apart: number; after: (round: number) => Promise<void> },
  ): Promise<number> {
    for (let round = 0; ; round++) {
      const env = { NODE_OPTIONS: `--import=${killAt}`, COGENCY_KILL_AT: String(1 + round * apart) };
      const killed = await cogency(args(round), { cwd: work, env: { ...env, COGENCY_PROVIDER: "offline" } });
      await after(round);
      if (killed.code === 0) return round;
      expect(killed.stderr).toContain("killed here");
    }
  }

  it("while it forks leaves no half fork, and the same command makes a whole one", async () => {
    const place = await threeFiles();
    const { cogency, work, tree } = place;
    const fork = (round: number) => ["fork", "c", "--at", "turn:3", "--as", `fork ${round}`];
    const rounds = await killedEverywhere(place, fork, {
      apart: 6,
      async after(round) {
        const again = await cogency(fork(round), { cwd: work });
        // It may have been killed when all was done.
        if (again.code !== 0) expect(again.stderr).toContain("exists already");
        const plan = ["rewind", `fork ${round}`, "--to", "2", "--files", "--dry-run"];
        expect((await cogency(plan, { cwd: work })).stdout).toContain("a.txt was changed since");
      },
    });
    expect(rounds).toBeGreaterThan(2);
    expect((await tree()).forks.map(({ turns }) => turns.length)).toEqual(Array(rounds + 1).fill(2));
  });

  it("while it goes back with the files is followed by one that ends it: the files are back, and the fork takes it back", async () => {
    const place = await threeFiles();
    const { cogency, work, text } = place;
    const back = () => ["rewind", "c", "--to", "before", "--yes"];
    await cogency(["mark", "c", "before", "--at", "turn:3"]);
    const rounds = await killedEverywhere(place, back, {
      apart: 6,
      async after() {
        const again = await cogency(back(), { cwd: work });
        expect([again.code, text()]).toEqual([0, "two"]);
        const [, fork = ""] = /cogency --resume (\S+)/.exec(again.stdout) ?? [];
        const takeBack = ["--files", "--to", lastUndo(place.folder)];
        const plan = await cogency(["rewind", fork, ...takeBack, "--dry-run"], { cwd: work });
        expect(plan.stdout).toMatch(/a\.txt/);
        expect(plan.stdout).not.toContain("changed since");
        await cogency(["rewind", "c", ...takeBack, "--yes"], { cwd: work });
        expect(text()).toBe("three");
      },
    });
    expect(rounds).toBeGreaterThan(2);
  });

  it("while it names a point has named it or not, and the same command names it", async () => {
    const place = await threeFiles();
    const { cogency, work, tree } = place;
    const mark = (round: number) => ["mark", "c", `name ${round}`, "--at", "turn:2"];
    const rounds = await killedEverywhere(place, mark, {
      apart: 2,
      after: async (round) => void expect(await cogency(mark(round), { cwd: work })).toMatchObject({ code: 0 }),
    });
    const { points } = await tree();
    expect(new Set(points.map(({ at }) => at)).size).toBe(1);
    expect(points.map(({ name }) => name).toSorted()).toEqual(
      Array.from({ length: rounds + 1 }, (_, round) => `name ${round}`).toSorted(),
    );
  });
});

const [enter, up, down] = ["\r", "\u001b[A", "\u001b[B"];

describe.skipIf(!hasTmux)("/tree at a terminal", () => {
  it("unfolds a conversation, names a point, restores files to it, and goes on from it in a fork", async () => {
    const place = await threeFiles();
    const { text, work } = place;
    const chat = ["chat", "--resume", "c", "--root", work, "--provider", models, "--model", "echo"];
    const terminal = tmuxTerminal(place, chat, { rows: 40, columns: 100 });
    await terminal.shows(/ready/);
    terminal.type(`/tree${enter}`);
    await terminal.shows(/Which point\?[\s\S]*> 3 {2}write three · .* · 1 file/);
    terminal.type(enter);
    await terminal.shows(/What do you want at turn 3\?[\s\S]*Undo what was changed since, in 1 file: a\.txt/);
    for (const _ of [1, 2, 3]) terminal.type(down);
    await terminal.shows(/^> Name it/m);
    terminal.type(enter);
    await terminal.shows(/^> \/mark --at \d+/m);
    terminal.type(`good state${enter}`);
    await terminal.shows(/Named: "good state", after \d+ events/);
    terminal.type(`/tree${enter}`);
    await terminal.shows(/> 3 {2}write three · "good state" · /);
    terminal.type(enter);
    await terminal.shows(/^> Go on from there, in a fork/m);
    terminal.type(down);
    await terminal.shows(/^> Undo what was changed since/m);
    terminal.type(enter);
    await terminal.shows(/restored +a\.txt[\s\S]*This can be taken back: undo_/);
    expect(text()).toBe("two");
    terminal.type(`/back good state${enter}`);
    await terminal.shows(/You are before turn 3\.[\s\S]*^> write three$/m);
    terminal.type(` again${enter}`);
    await terminal.shows(/> write three again\n[\s\S]*You said[\s\S]*ready/);
    terminal.type(`/tree${enter}`);
    await terminal.shows(/Which conversation\?[\s\S]*└ this one: write three again/);
    terminal.type(up);
    await terminal.shows(/^> write one · /m);
    terminal.type("\u001b");
    await terminal.shows(/You stay in this one\./);
    terminal.type(`/quit${enter}`);
    expect(await terminal.ended).toBe(0);
  });
});
