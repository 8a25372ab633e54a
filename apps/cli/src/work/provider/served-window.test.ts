import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { servedWindow } from "./served-window.ts";

async function serverWith(answers: Record<string, unknown>) {
  const asked: string[] = [];
  const { url } = await serve((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const found = answers[path];
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? { error: "no such path" }));
  });
  return { url, asked };
}

const other = { id: "other", name: "other", max_model_len: 5000, context_length: 5000, loaded_context_length: 5000 };

describe("the window of a model on this machine", () => {
  it.each<[string, Record<string, unknown>, number | undefined]>([
    ["vLLM and SGLang", { "/v1/models": { data: [other, { id: "qwen3", max_model_len: 32_768 }] } }, 32_768],
    [
      "llama.cpp",
      { "/v1/models": { data: [{ id: "x" }] }, "/props": { default_generation_settings: { n_ctx: 8192 } } },
      8192,
    ],
    ["Ollama", { "/api/ps": { models: [other, { name: "qwen3", model: "qwen3", context_length: 4096 }] } }, 4096],
    ["LM Studio", { "/api/v0/models": { data: [other, { id: "qwen3", loaded_context_length: 16_384 }] } }, 16_384],
    ["one that loaded another model", { "/v1/models": { data: [other, { ...other, id: "more" }] } }, undefined],
    ["one that does not say it", { "/v1/models": { data: [{ id: "qwen3" }] } }, undefined],
    ["one that says nonsense", { "/v1/models": "no", "/props": [], "/api/ps": { models: 5 } }, undefined],
    [
      "one that says a number that is no window",
      { "/v1/models": { data: [{ id: "qwen3", max_model_len: 1 }] } },
      undefined,
    ],
  ])("is what the server says: %s", async (_, answers, window) => {
    const { url, asked } = await serverWith(answers);
    const served = servedWindow("openai", `${url}/v1`, "qwen3");
    expect(served?.known).toBeUndefined();
    expect(asked).toEqual([]);
    expect(await served?.ask()).toBe(window);
    expect(await served?.ask()).toBe(window);
    expect(served?.known).toBe(window);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("is not asked for elsewhere, and unknown where nobody answers", async () => {
    expect(servedWindow("openai", "https://api.example.com/v1", "m")).toBeUndefined();
    expect(servedWindow("openai", undefined, "m")).toBeUndefined();
    expect(servedWindow("mine", undefined, "m")).toBeUndefined();
    expect(servedWindow("ollama", undefined, "m")).toBeDefined();
    expect(await servedWindow("openai", "http://127.0.0.1:9/v1", "m")?.ask()).toBeUndefined();
  });
});
