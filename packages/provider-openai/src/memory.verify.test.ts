import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { serve } from "@tooling/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { attacks } from "../test/support/attacks.ts";

/** Asks for every answer in turn, and tells what it failed with and the most memory that it ever took, in MiB. */
const client = `
  import { openai } from ${JSON.stringify(new URL("openai.ts", import.meta.url).href)};
  const [wire, url, names] = process.argv.slice(1);
  for (const name of JSON.parse(names)) {
    const provider = openai({ api: wire, apiKey: "key-of-the-test", baseURL: url + "/" + encodeURIComponent(name) });
    let code = "none";
    try {
      for await (const _ of provider.stream({ system: "", messages: [{ role: "user", content: "Go." }] }));
    } catch (error) {
      code = error.code;
    }
    console.log(JSON.stringify({ name, code, memory: Math.round(process.resourceUsage().maxRSS / 1024) }));
  }
`;

describe.each(["chat", "responses"] as const)("a hostile server of %s", (wire) => {
  it("cannot fill the memory, by default", async () => {
    const { url } = await serve((request, response) => {
      response.on("error", () => {});
      const [, name = ""] = (request.url ?? "").split("/");
      request.resume();
      void attacks[decodeURIComponent(name)]?.(response, wire);
    });
    const args = ["--max-old-space-size=80", "--input-type=module", "-e", client];
    const child = spawn(process.execPath, [...args, wire, url, JSON.stringify(Object.keys(attacks))], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const output = await text(child.stdout);
    const told = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { name: string; code: string; memory: number });
    expect(told.map(({ name, code }) => [name, code])).toEqual(
      Object.keys(attacks).map((name) => [name, "answer_too_large"]),
    );
    // A process that only loads the package takes about 90.
    expect(Math.max(...told.map(({ memory }) => memory)), output).toBeLessThan(300);
  });
});
