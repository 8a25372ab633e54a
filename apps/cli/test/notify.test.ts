import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { calling, jsonLines, place } from "./support/command-line.ts";

const say = ["run", "go", "--conversation", "c", ...calling([])];
const goOn = ["run", "--resume", "c", "--json", ...calling([])];
const notices = (stdout: string) =>
  jsonLines<{ type: string; origin?: string; content: string }>(stdout).filter((event) => event.origin === "notice");

describe("a file that the model has read, and that has changed outside since,", () => {
  it("is told with the next turn, also in plan mode", async () => {
    const { cogency, folder } = place();
    const file = join(folder, "notes.txt");
    const reading = calling([{ name: "read", args: { file: "notes.txt" } }]);
    await cogency(["run", "go", "--conversation", "c", ...reading]);
    const after = Date.now() + 50;
    await vi.waitFor(() => {
      writeFileSync(file, "changed");
      expect(statSync(file).ctimeMs).toBeGreaterThan(after);
    });
    for (const times of [1, 0]) {
      const next = await cogency(["run", "well?", "--resume", "c", "--mode", "plan", "--json", ...calling([])]);
      const told = notices(next.stdout).filter(({ content }) => content.includes("- files: "));
      expect(told).toHaveLength(times);
      for (const { content } of told) expect(content).toContain('"notes.txt" has changed since you read or wrote it.');
    }
  });
});

describe("cogency notify", () => {
  it("tells the model what the person types, as a notice of its source, and what goes on with it", async () => {
    const { cogency } = place();
    await cogency(say);
    const { code, stderr } = await cogency(["notify", "c", "build", "12", "failed", "--source", "ci"]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^It is sent\. A chat, .* waits for: .*--resume c/m)]);
    expect(notices((await cogency(goOn)).stdout)).toMatchObject([
      { content: "A notice from outside.\n- ci: build 12 failed", sources: [{ source: "ci", count: 1 }] },
    ]);
  });

  it("takes piped text as untrusted, also where - stands for it", async () => {
    const { cogency } = place();
    await cogency(say);
    for (const words of [[], ["-"]])
      expect((await cogency(["notify", "c", ...words, "--topic", "log"], { input: "line 1\nline 2\n" })).code).toBe(0);
    const [notice] = notices((await cogency(goOn)).stdout);
    expect(notice?.content.split("\n").slice(1)).toEqual(["- terminal, untrusted, the last of 2: line 1", "  line 2"]);
    const { stdout } = await cogency(["history", "show", "c"]);
    expect(stdout).toContain("(notice) - terminal, untrusted, the last of 2: line 1");
  });

  it("with --no-wake begins no turn, and the next prompt brings it along", async () => {
    const { cogency } = place();
    await cogency(say);
    expect((await cogency(["notify", "c", "a.ts changed", "--no-wake"])).stderr).toContain("with the next turn");
    expect(notices((await cogency(goOn)).stdout)).toEqual([]);
    const next = await cogency(["run", "well?", "--resume", "c", "--json", ...calling([])]);
    expect(notices(next.stdout)).toMatchObject([{ content: "A notice from outside.\n- terminal: a.ts changed" }]);
  });

  it.each<[string, string[], RegExp]>([
    ["there is no such conversation", ["nowhere", "x"], /nowhere/],
    ["the text is empty", ["c", " "], /the text is empty/],
    ["the source is no line", ["c", "x", "--source", "a\nb"], /--source is one line/],
  ])("says what is wrong where %s", async (_, args, why) => {
    const { cogency } = place();
    await cogency(say);
    const { code, stderr } = await cogency(["notify", ...args]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});
