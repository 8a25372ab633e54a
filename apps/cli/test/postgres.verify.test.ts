import { createDatabase } from "@tooling/postgres";
import { describePostgres, postgresUrl } from "@tooling/postgres/describe";
import { expect, it, onTestFinished } from "vitest";
import { calling, jsonLines, place } from "./support/command-line.ts";

describePostgres("a store on a server", () => {
  const database = async () => {
    const { url, drop } = await createDatabase(postgresUrl());
    onTestFinished(drop);
    return url;
  };

  it("holds conversations as a file does, named by --store or by COGENCY_STORE", async () => {
    const { cogency } = place();
    const url = await database();
    const store = ["--store", url];
    const calls = calling([{ name: "read", args: { file: "notes.txt" } }]);
    expect(await cogency(["run", "Where?", "--conversation", "c", ...calls, ...store])).toMatchObject({ code: 0 });
    const env = { COGENCY_STORE: url };
    expect((await cogency(["history", "list"], { env })).stdout).toMatch(/^c +just now +\d+ {2}Where\?$/m);
    expect((await cogency(["history", "search", "hello"], { env })).stdout).toContain("hello from the notes");

    const { stdout: lines } = await cogency(["history", "export", "--raw"], { env });
    expect(await cogency(["history", "import", "-"], { input: lines })).toMatchObject({ code: 0 });
    // Everything except the origin, which is valid only in the store where it was written.
    const events = jsonLines<{ kind?: string; seq?: number }>(lines).filter(({ kind }) => kind !== "origin");
    const [header, ...others] = events;
    expect(jsonLines((await cogency(["history", "export", "--raw"])).stdout)).toEqual([
      { ...header, events: others.length },
      ...others.map((event, index) => ({ ...event, seq: index + 1 })),
    ]);
    expect((await cogency(["history", "delete", "c", "--yes", ...store])).stdout).toMatch(/^deleted c · \d+ events/);
    expect((await cogency(["history", "list", ...store])).stdout).toBe("");
  });

  it("never prints the password of its address", async () => {
    const { cogency } = place();
    const url = new URL(await database());
    const unknown = await cogency(["history", "show", "x", "--store", url.href]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toContain(`postgres://${url.host}${url.pathname}`);
    if (url.password !== "") expect(unknown.stderr).not.toContain(url.password);

    url.password = "canary";
    url.username = "nobody";
    const run = await cogency(["run", "x", "--json", "--store", url.href, ...calling([])], {
      env: { COGENCY_DEBUG: "1" },
    });
    expect(run.code).toBe(5);
    expect(jsonLines<object>(run.stdout).at(-1)).toMatchObject({ error: { code: "store", cause: "unavailable" } });
    expect(`${run.stdout}${run.stderr}`).not.toContain("canary");
  });
});
