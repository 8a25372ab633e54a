import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { type ModelServer, modelServers } from "./known-servers.ts";
import { modelsOf } from "./server-models.ts";

function named(name: string): ModelServer {
  const server = modelServers.find((one) => one.name === name);
  if (!server) throw new Error(name);
  return server;
}

/** A server that answers with this JSON, and keeps what it was asked. */
async function answering(json: string, status = 200) {
  const asked: { url: string | undefined; headers: object }[] = [];
  const { url } = await serve(({ url, headers }, response) => {
    asked.push({ url, headers });
    response.writeHead(status, { "content-type": "application/json" });
    response.end(json);
  });
  return { url, asked };
}

describe("the models of a server", () => {
  it.each([
    ["openai", "OPENAI_BASE_URL", "/v1", '{"data":[{"id":"b"},{"id":"a"}]}', "/v1/models", ["a", "b"]],
    ["anthropic", "ANTHROPIC_BASE_URL", "", '{"data":[{"id":"c"}]}', "/v1/models?limit=1000", ["c"]],
    ["google", "GOOGLE_GEMINI_BASE_URL", "", '{"models":[{"name":"models/g"}]}', "/v1beta/models?pageSize=1000", ["g"]],
  ])("%s lists them", async (name, variable, below, json, path, models) => {
    const { url, asked } = await answering(json);
    const said = await modelsOf(named(name), 5000, { [variable]: url.replace(/\/$/, "") + below });
    expect(said).toMatchObject({ server: name, models });
    expect(asked).toMatchObject([{ url: path }]);
  });

  it("are asked for without a key where the key belongs to another host", async () => {
    const { url, asked } = await answering('{"data":[]}');
    await modelsOf(named("openai"), 5000, { OPENAI_BASE_URL: url, OPENAI_API_KEY: "canary-key" });
    expect(JSON.stringify(asked)).not.toContain("canary-key");
  });

  it("are not asked for where no key is set", async () => {
    expect(await modelsOf(named("deepseek"), 5000, {})).toMatchObject({
      unset: true,
      problem: "no DEEPSEEK_API_KEY is set",
    });
  });

  it.each([
    ["another answer", "[]", 200, /no list "data"/],
    ["no JSON", "<html>", 200, /./],
    ["a refusal", '{"error":{"message":"no"}}', 403, /403/],
  ])("%s is a problem with words", async (_, json, status, problem) => {
    const { url } = await answering(json, status);
    const said = await modelsOf(named("openai"), 5000, { OPENAI_BASE_URL: url });
    expect(said).toMatchObject({ problem: expect.stringMatching(problem) });
  });
});
