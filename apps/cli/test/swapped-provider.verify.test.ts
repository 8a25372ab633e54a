import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { ownProcesses, type Place } from "./support/command-line.ts";
import { hasPseudoTerminal, pseudoTerminal } from "./support/pseudo-terminal.ts";

/** A cloned folder whose configuration names a provider module of its own. Each module notes that it ran. */
function clone(at: Place) {
  const folder = join(realpathSync(at.folder), "clone");
  const module = join(folder, ".cogency", "provider.mjs");
  const noted = join(folder, "ran.txt");
  mkdirSync(join(folder, ".git"), { recursive: true });
  mkdirSync(join(folder, ".cogency"));
  writeFileSync(join(folder, ".cogency", "config.json"), JSON.stringify({ provider: "./provider.mjs" }));
  const source = (word: string) => `
    import { appendFileSync } from "node:fs";
    appendFileSync(${JSON.stringify(noted)}, "${word} ");
    export default () => ({
      name: "own", model: "m", capabilities: {},
      async *stream() {
        yield { type: "text", text: "I am ${word}.<end>" };
        yield { type: "finish", reason: "stop" };
      },
    });`;
  const put = (word: string) => writeFileSync(module, source(word));
  put("seen");
  const run = (env: Record<string, string> = {}) =>
    // A limit in the environment, so that no other provider is named for the test.
    at.cogency(["run", "hello"], { cwd: folder, env: { COGENCY_MAX_STEPS: "3", ...env } });
  return {
    folder,
    module,
    source,
    put,
    run,
    ran: () => (existsSync(noted) ? readFileSync(noted, "utf8") : ""),
    trust: () => at.cogency(["trust", folder, "--yes"]),
  };
}

describe("a provider module of a folder that is swapped", () => {
  it.skipIf(!hasPseudoTerminal)(
    "while the trust question is read does not run, neither now nor at the next start",
    async () => {
      const at = ownProcesses();
      const { folder, put, run, ran } = clone(at);
      const terminal = pseudoTerminal(at, ["run", "hello", "--root", folder], { columns: 240 });
      await terminal.shows(/provider = ".*provider\.mjs"[\s\S]*Trust this folder\?/);
      put("evil");
      terminal.type("y\n");
      expect(await terminal.ended).not.toBe(0);
      expect((await run()).stderr).toContain(
        "It was changed since you trusted this folder, or a module that it names was",
      );
      expect(ran()).toBe("");
      // What was asked about is trusted.
      put("seen");
      expect(await run()).toMatchObject({ code: 0, stdout: "I am seen.\n" });
      expect(ran()).toBe("seen ");
    },
  );

  it("between the question and the moment it is loaded runs as it was seen", async () => {
    const at = ownProcesses();
    const { folder, module, source, run, ran, trust } = clone(at);
    await trust();
    const swap = join(folder, "swap.mjs");
    // The last moment at which another program can write: the app has looked, and Node begins to load.
    writeFileSync(
      swap,
      `import { registerHooks } from "node:module";
       import { writeFileSync } from "node:fs";
       registerHooks({
         resolve(specifier, context, next) {
           if (specifier === ${JSON.stringify(pathToFileURL(module).href)})
             writeFileSync(${JSON.stringify(module)}, ${JSON.stringify(source("evil"))});
           return next(specifier, context);
         },
       });`,
    );
    expect(await run({ NODE_OPTIONS: `--import ${pathToFileURL(swap).href}` })).toMatchObject({
      code: 0,
      stdout: "I am seen.\n",
    });
    expect(readFileSync(module, "utf8")).toContain("evil");
    expect((await run()).code).not.toBe(0);
    expect(ran()).toBe("seen ");
  });

  it.skipIf(!hasPseudoTerminal)("after a run is asked about again before it runs", async () => {
    const at = ownProcesses();
    const { folder, put, run, ran, trust } = clone(at);
    await trust();
    expect((await run()).stdout).toBe("I am seen.\n");
    put("other");
    expect((await run()).code).not.toBe(0);
    const terminal = pseudoTerminal(at, ["run", "hello", "--root", folder], { columns: 240 });
    await terminal.shows(
      /a module that it names, or what its hooks and servers run, was changed[\s\S]*Trust this folder\?/,
    );
    expect(ran()).toBe("seen ");
    terminal.type("y\n");
    await terminal.shows(/I am other\./);
    expect(await terminal.ended).toBe(0);
    expect(ran()).toBe("seen other ");
  });
});
