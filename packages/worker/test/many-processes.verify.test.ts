import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { postgresStore } from "@cogency/storage-postgres";
import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished, vi } from "vitest";

const home = join(import.meta.dirname, "..");

/** The program in the README that sends or works, by what it is told. */
function programOfReadme(): string {
  const readme = readFileSync(join(home, "README.md"), "utf8");
  const programs = readme.split("```ts no-run\n").map((rest) => rest.slice(0, rest.indexOf("```")));
  const program = programs.find((text) => text.includes('"send"'));
  const folder = join(home, ".readme", "many-processes");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "program.ts");
  writeFileSync(file, program ?? "");
  return file;
}

describePostgres("the program of the README", () => {
  it("sends from one process, and answers in others, also when one of them is killed", async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    const file = programOfReadme();
    const env = { ...process.env, DATABASE_URL: url, KEY_RING: "a secret that all processes have in common" };
    const start = (...args: string[]): ChildProcess => {
      const child = spawn(process.execPath, [file, ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      return child;
    };
    const workers = [start(), start()];
    const store = await postgresStore({ url });
    onTestFinished(() => store.close());
    const answers = async () => {
      const log = await store.load({ conversation: "greeting", user: "ada" });
      return log.filter(({ type }) => type === "respond").length;
    };
    expect(await once(start("send", "list the files"), "exit")).toEqual([0, null]);
    await vi.waitFor(async () => expect(await answers()).toBe(1), { timeout: 20_000 });
    workers[0]?.kill("SIGKILL");
    expect(await once(start("send", "list them again"), "exit")).toEqual([0, null]);
    await vi.waitFor(async () => expect(await answers()).toBe(2), { timeout: 20_000 });
    const ended = once(workers[1] as ChildProcess, "exit");
    workers[1]?.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
  });
});
