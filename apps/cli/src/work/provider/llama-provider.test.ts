import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chooseProvider } from "./choose-provider.ts";
import { modelFile } from "./llama-provider.ts";

const choose = (more: object) => chooseProvider({ root: ".", provider: "llama", ...more });

describe("a model in a file", () => {
  it.each([
    ["no file", {}, /Name the file of the model, such as --model/],
    ["a file that is missing", { model: "./nowhere.gguf" }, /There is no file .*nowhere\.gguf/],
    ["an address", { model: "a.gguf", baseUrl: "http://localhost:1" }, /--base-url is of no use/],
    ["a key", { model: "a.gguf", apiKeyEnv: "KEY" }, /--api-key-env is of no use/],
    ["a wire", { model: "a.gguf", api: "chat" }, /--api chooses between the wires of OpenAI/],
  ])("is refused with %s", async (_, more, message) => {
    await expect(choose(more)).rejects.toThrow(message);
  });

  it("is refused if the file is something else", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cogency-model-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "text.gguf");
    writeFileSync(file, "This is a text that is longer than the head of a model's file.");
    await expect(choose({ model: file })).rejects.toThrow(
      `${file} is no model that can run: it does not begin with GGUF.`,
    );
  });

  it("may be named from the home folder, since a configuration is read by no shell", () => {
    expect(modelFile("~/models/a.gguf")).toBe(join(homedir(), "models/a.gguf"));
    expect(modelFile("a.gguf")).toBe(resolve("a.gguf"));
  });
});
