import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "./run.ts";

describe("run", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "run-test-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function script(code: string): Promise<string> {
    const file = join(folder, `${crypto.randomUUID()}.ts`);
    await writeFile(file, code);
    return file;
  }

  it("runs in an empty folder and removes it", async () => {
    const printed = await run(
      await script(`import { readdirSync } from "node:fs";
      console.log(JSON.stringify([process.cwd(), readdirSync(".").length as number]));`),
    );
    const [cwd, entries] = JSON.parse(printed) as [string, number];
    expect(entries).toBe(0);
    await expect(readdir(cwd)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("hides the test runner's environment from the example", async () => {
    expect(process.env.VITEST).toBeDefined();
    expect(await run(await script("console.log(process.env.VITEST ?? 'none', process.env.NODE_ENV ?? 'none');"))).toBe(
      "none none\n",
    );
  });

  it("fails with what the example wrote when its exit code is not 0", async () => {
    await expect(run(await script("console.error('why'); process.exit(3);"))).rejects.toThrow(/exit code 3.*why/s);
  });

  it("kills an example that goes on for longer than the limit", async () => {
    await expect(run(await script("setInterval(() => {}, 1000);"), 500)).rejects.toThrow("still running after 0.5 s");
  });
});
