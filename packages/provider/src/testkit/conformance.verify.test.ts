import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { ConformanceError, type Declarations } from "@cogency/protocol/testkit";
import { describe, expect, it } from "vitest";
import type { Provider } from "../provider.ts";
import { scripted } from "../scripted.ts";
import { providerConformance, runProviderConformance } from "./conformance.ts";
import { withoutReasoning, withoutReply, withoutTools, withoutWire } from "./declarations.ts";
import type { LocalHarness } from "./harness.ts";

const model = () => scripted([["One, ", "two, ", "three."]]);
const local: Declarations = { ...withoutReply, ...withoutWire };
const harness = (change: Partial<LocalHarness> = {}) => ({ provider: model, declare: local, ...change });

describe("runProviderConformance", () => {
  it("reports each case once, and sums up in the last line of the table", async () => {
    const { name, cases, table } = await runProviderConformance("local", () => harness());
    const count = (status: string) => cases.filter((one) => one.status === status).length;
    expect(name).toBe("local");
    expect(count("failed")).toBe(0);
    expect(count("declared")).toBe(Object.keys(local).length);
    expect(new Set(cases.map((one) => one.name)).size).toBe(cases.length);
    expect(table.split("\n").length).toBe(cases.length + 2);
    expect(table.split("\n").at(-1)).toBe(`local: ${count("passed")} passed, ${count("declared")} declared`);
  });

  it("shows a declared case with its reason and does not run it", async () => {
    const { table } = await runProviderConformance("local", async () => harness());
    expect(table).toContain("  declared  ten streams at once do not mix: it speaks to no server\n");
  });

  it("throws an error that lists every case that failed, with the report", async () => {
    const nameless = () => harness({ provider: () => ({ ...model(), name: "" }) });
    const error = await runProviderConformance("local", nameless).catch((thrown: unknown) => thrown);
    if (!(error instanceof ConformanceError)) return expect.unreachable(String(error));
    expect(error.code).toBe("not_conformant");
    expect(error.message).toBe(
      `The provider "local" fails 1 of ${error.report.cases.length} cases:\n` +
        "- the provider says who it is and what it can: `name` must be a string that is not empty.",
    );
    expect(error.report.table).toMatch(/declared, 1 failed$/);
  });

  it("throws an error that prints only the failed cases if nobody catches it", () => {
    const script = `
      import { runProviderConformance, withoutReply, withoutWire } from ${JSON.stringify(new URL("index.ts", import.meta.url).href)};
      import { scripted } from ${JSON.stringify(new URL("../scripted.ts", import.meta.url).href)};
      const provider = () => ({ ...scripted([["One, ", "two, ", "three."]]), name: "" });
      await runProviderConformance("nameless", () => ({ provider, declare: { ...withoutReply, ...withoutWire } }));
    `;
    const { stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toContain("- the provider says who it is and what it can: `name` must be a string");
    expect(stderr).not.toMatch(/declared|passed|duration/);
  });

  it.each([
    ["a name that no case has", { "no such case": "because" }, 'The kit has no case "no such case".'],
    ["no reason", { "text arrives exactly and in order": " " }, "needs a reason"],
  ])("fails a declaration with %s", async (_, declare, problem) => {
    const run = runProviderConformance("local", () => harness({ declare: { ...local, ...declare } }));
    await expect(run).rejects.toThrow(problem);
  });

  it.each([
    ["wire", {}, "The harness has no `wire`"],
    ["tools", withoutWire, "The provider's capabilities have no tools"],
    ["reasoning", { ...withoutWire, ...withoutTools }, "The provider's capabilities have no reasoning"],
  ])("fails the cases that need %s if they are not declared", async (_, declare, problem) => {
    await expect(runProviderConformance("local", () => harness({ declare }))).rejects.toThrow(problem);
  });

  it.each<[string, () => unknown, string]>([
    ["throws at once", () => raise(new Error("No luck.")), "No luck."],
    ["gives no iterable", () => [{ type: "finish", reason: "stop" }], "must return an async iterable"],
    ["yields nothing that is an event", () => stream(undefined), "An event must be an object"],
    ["yields what no provider may", () => stream({ type: "say", text: "a" }), "There is no event"],
    ["yields a text without text", () => stream({ type: "text" }), "must be of the type string"],
    ["has a word of its own for the end", () => stream({ type: "finish", reason: "end_turn" }), "must be one of stop,"],
    ["never ends", endless, "did not come to its end"],
  ])("fails a provider that %s, and says so", async (_, broken, problem) => {
    const provider = () => ({ ...model(), stream: broken as Provider["stream"] });
    const run = runProviderConformance("broken", () => harness({ provider, patience: 50 }));
    await expect(run).rejects.toThrow(problem);
  });

  it("fails a provider without capabilities, and says so", async () => {
    const provider = () => ({ ...model(), capabilities: undefined as never });
    await expect(runProviderConformance("mute", () => harness({ provider }))).rejects.toThrow(
      "`capabilities` must be an object",
    );
  });

  it("fails a provider that hangs, after the time it is given", async () => {
    const hanging = () => harness({ provider: () => scripted([{ hang: true }]), patience: 50 });
    await expect(runProviderConformance("hanging", hanging)).rejects.toThrow("gave no other event within 0.05 s");
  });
});

function raise(error: Error): never {
  throw error;
}

async function* stream(event: unknown) {
  yield event;
}

async function* endless() {
  for (;;) yield { type: "text", text: "on and on " };
}

describe("providerConformance", () => {
  const byVitest = providerConformance("local", () => ({
    provider: model,
    declare: { ...withoutReply, ...withoutReasoning, ...withoutWire },
  }));
  for (const { name, run } of byVitest) it(`by vitest: ${name}`, run);

  const byNode = (env: NodeJS.ProcessEnv = {}) => {
    const file = fileURLToPath(new URL("../../test/support/conformance-by-node.ts", import.meta.url));
    // A child of a test of Node's own takes itself for a part of it.
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const options = { encoding: "utf8", env: { ...inherited, ...env } } as const;
    return spawnSync(process.execPath, ["--test", "--test-reporter=tap", file], options);
  };

  it("makes each case a test of Node's own runner", () => {
    const { status, stdout } = byNode();
    expect(status, stdout).toBe(0);
    expect(stdout).toContain(`# pass ${byVitest.length}\n# fail 0`);
  });

  it("fails just the test of Node's own runner whose case failed", () => {
    const { status, stdout } = byNode({ PROVIDER_NAME: "" });
    expect(status).toBe(1);
    expect(stdout).toMatch(/not ok \d+ - the provider says who it is/);
    expect(stdout).toContain("# fail 1\n");
  });
});
