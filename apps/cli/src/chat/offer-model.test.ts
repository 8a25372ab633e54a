import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { namedProvider, noModel } from "../work/provider/named-provider.ts";
import { offerModel } from "./offer-model.ts";

const nothing = { problem: noModel };
const ollama = { provider: "ollama", address: "http://localhost:11434/v1", models: ["gemma", "qwen3"] };
const llama = { provider: "llama.cpp", address: "http://localhost:8080/v1", models: ["only"] };
const empty = { provider: "lmstudio", address: "http://localhost:1234/v1", models: [] };

/** Answers each question with the next line. */
function offered(lines: readonly string[], servers: readonly (typeof ollama)[], missing = nothing, model?: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const left = [...lines];
  let shown = "";
  output.on("data", (chunk: Buffer) => {
    shown += chunk;
    if (!/(?:leaves|shown\)): $/.test(shown)) return;
    const line = left.shift();
    setImmediate(() => (line === undefined ? input.end() : input.write(`${line}\n`)));
  });
  const choice = offerModel(missing, model, { input, output }, Promise.resolve([...servers]));
  return { choice, shown: () => shown };
}

/** A folder for the configuration, with nothing in it. */
function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "offer-"));
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    said.mockRestore();
  });
  return folder;
}

describe("the offer of a model", () => {
  it("says that there is none, and names the offline model as what it is", async () => {
    const { choice, shown } = offered(["2"], []);
    expect(await choice).toEqual({ provider: "offline" });
    expect(shown()).toMatch(/^.*There is no model to ask yet: no key is set\./);
    expect(shown()).toContain("  1  set a key: openai, anthropic, google, openrouter, deepseek\n");
    expect(shown()).toContain("  2  try the offline model: it is small");
  });

  it("leads to a server of this machine, and asks which of its models", async () => {
    const { choice, shown } = offered(["2", "2"], [ollama, llama, empty]);
    expect(await choice).toEqual({ provider: "ollama", model: "qwen3" });
    expect(shown()).toContain("use ollama, which runs on this machine at localhost:11434: 2 models");
    expect(shown()).toContain("lmstudio runs at localhost:1234, and has no model yet.");
    expect(await offered(["3"], [ollama, llama]).choice).toEqual({ provider: "llama.cpp", model: "only" });
  });

  it("shows what a server calls its models without control characters", async () => {
    const { choice, shown } = offered(["2", "1"], [{ ...ollama, models: ["a\u001b[2J\nb", "c"] }]);
    expect(await choice).toEqual({ provider: "ollama", model: "a\u001b[2J\nb" });
    expect(shown().split("Enter alone leaves: ").slice(1).join("")).not.toContain("\u001b[2J\n");
  });

  it("keeps a key without showing it, for the provider that is chosen", async () => {
    const folder = ownFolder();
    const { choice, shown } = offered(["1", "2", "sk-canary-1"], []);
    expect(await choice).toEqual({ provider: "anthropic", model: undefined });
    expect(shown()).not.toContain("canary");
    const file = join(folder, "cogency", "api-keys.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ ANTHROPIC_API_KEY: "sk-canary-1" });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("asks only for the key that the named model needs", async () => {
    const folder = ownFolder();
    const missing = namedProvider({ model: "gpt-5" }, {});
    if (missing.provider !== undefined) throw new Error("A server was found.");
    const { choice, shown } = offered(["1", "sk-canary-2"], [], missing, "gpt-5");
    expect(await choice).toEqual({ provider: "openai", model: "gpt-5" });
    expect(shown()).toContain('The model "gpt-5" needs a key of openai:');
    expect(readFileSync(join(folder, "cogency", "api-keys.json"), "utf8")).toContain("OPENAI_API_KEY");
  });

  it("asks again for a number that there is not, and ends with what to set when the person leaves", async () => {
    await expect(offered(["9", "x", ""], []).choice).rejects.toThrow(noModel);
    await expect(offered([], []).choice).rejects.toThrow(noModel);
    ownFolder();
    await expect(offered(["1", "1", ""], []).choice).rejects.toThrow("No key was given, so nothing is kept.");
  });
});
