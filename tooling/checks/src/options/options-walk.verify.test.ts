import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { packages } from "../packages.ts";
import { workspaceRoot } from "../workspace.ts";
import { type Call, calls, type Things } from "./calls.ts";
import { type Taker, takersOf } from "./takers.ts";

const folders = Object.keys(packages)
  .filter((folder) => folder.startsWith("packages/"))
  .map((folder) => `${workspaceRoot.replace(/\/$/, "")}/${folder}`);
const takers = takersOf(folders);
const keyOf = ({ key, at }: Taker) => `${key} ${at}`;

const entry = (name: string) => import(pathToFileURL(`${workspaceRoot}/packages/${name}/dist/index.js`).href);
const [agent, offline, storage, tools, toolbox] = await Promise.all(
  ["agent", "provider-offline", "storage", "tools", "toolbox"].map(entry),
);
const provider = offline.offline();
const store = storage.memoryStore();
const things: Things = {
  provider,
  store,
  agent: agent.createAgent({ provider, store }),
  registry: tools.createRegistry([]),
  root: await toolbox.openRoot("."),
};

/** Calls the function, or the class, with more options than it needs. Resolves with what it throws. */
async function refusalOf({ file, name, at }: Taker, call: Call, more: object): Promise<unknown> {
  const module = await import(pathToFileURL(file).href);
  const before = call.before?.(things) ?? [];
  const args = [...before, ...Array.from({ length: at - before.length }), { ...call.needs?.(things), ...more }];
  const isClass = /^class\b/.test(Function.prototype.toString.call(module[name]));
  try {
    const made = await (isClass ? new module[name](...args) : module[name](...args));
    await made?.close?.();
    return undefined;
  } catch (error) {
    return error;
  }
}

const walked = takers.flatMap((taker) => {
  const call = calls[keyOf(taker)];
  if (typeof call !== "object") return [];
  const options = taker.options.filter((name) => !call.except?.includes(name));
  return [{ key: keyOf(taker), taker: { ...taker, options }, call }];
});

/** What somebody writes who does not look: a letter less, or another case. */
function misspelt(name: string): string {
  return name.length > 3 ? name.slice(0, -1) : `${name}s`;
}

describe("every function that takes options", () => {
  it("stands in the table of calls, and nothing else does", () => {
    expect(Object.keys(calls).toSorted()).toEqual(takers.map(keyOf).toSorted());
  });

  it.each(walked)("names the option that was meant by a misspelt one: $key", async ({ taker, call }) => {
    for (const option of taker.options) {
      const wrong = misspelt(option);
      if (taker.options.includes(wrong)) continue;
      const error = await refusalOf(taker, call, { [wrong]: "canary-0123456789" });
      expect(error, wrong).toMatchObject({ code: "invalid_option" });
      const { message } = error as Error;
      expect(message).toContain(`\`${wrong}\``);
      expect(message).toMatch(/Did you mean `|Write `/);
      expect(message).not.toContain("canary");
    }
  });

  it.each(walked)("refuses options of other libraries: $key", async ({ taker, call }) => {
    for (const foreign of ["tool_choice", "verbose", "callbacks", "defaultHeaders", "maxRetriesPerRequest"]) {
      if (taker.options.includes(foreign)) continue;
      const error = await refusalOf(taker, call, { [foreign]: 1 });
      expect(error, foreign).toMatchObject({ code: "invalid_option", message: expect.stringContaining(foreign) });
    }
  });

  it.each(walked)("refuses values of a wrong type, by the name of the option: $key", async ({ taker, call }) => {
    for (const option of taker.options) {
      if (elsewhere.has(option)) continue;
      // No option is a symbol.
      const error = await refusalOf(taker, call, { [option]: Symbol("wrong") });
      expect(error, option).toBeInstanceOf(Error);
      const { message } = error as Error;
      expect(message, option).toContain(option);
      expect(message, option).not.toMatch(/Cannot (read|convert)|is not a function|undefined is not/);
    }
  });
});

/** Options that may be anything, or whose check is elsewhere and says more. */
const elsewhere: ReadonlySet<string> = new Set(["input", "parameters"]);
