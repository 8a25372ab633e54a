import { describe, expect, it } from "vitest";
import { jsonLines, models, place } from "./support/command-line.ts";
import { modelServer } from "./support/model-servers.ts";

const driverOf = (stdout: string) =>
  jsonLines<{ type: string; driver?: string }>(stdout).find(({ type }) => type === "run_started")?.driver;

describe("--driver", () => {
  it.each([
    ["protocol by default", [], "protocol", "Hello.<end>", false],
    ["native", ["--driver", "native"], "native", "Hello.", true],
    ["react", ["--driver", "react"], "react", '{"thought":"Easy.","type":"final_answer","answer":"Hello."}', false],
    ["auto, which is native where the provider has calls", ["--driver", "auto"], "native", "Hello.", true],
  ])("is %s", async (_, options, driver, answer, hasTools) => {
    const server = await modelServer(answer);
    const { code, stdout } = await place().cogency(["run", "hi", "--json", ...options, ...server.at("Gemini")]);
    expect(code).toBe(0);
    expect(driverOf(stdout)).toBe(driver);
    expect(jsonLines<{ text?: string }>(stdout).at(-1)?.text).toBe("Hello.");
    expect(server.requests[0] && "tools" in server.requests[0]).toBe(hasTools);
  });

  it("is the text protocol with auto, where the provider has no calls", async () => {
    const run = ["run", "go", "--json", "--driver", "auto", "--provider", models, "--model", "thoughtful"];
    const { stdout } = await place().cogency(run);
    expect(driverOf(stdout)).toBe("protocol");
    expect(stdout).toContain("It says hello.");
  });

  it("may change in a conversation", async () => {
    const read = '{"thought":"Look.","type":"call_tool","tool":"read","args":{"file":"notes.txt"}}';
    const server = await modelServer(
      read,
      '{"thought":"So.","type":"final_answer","answer":"It says hello."}',
      "As I said.",
    );
    const at = place();
    const run = (text: string, driver: string) =>
      at.cogency(["run", text, "--conversation", "talk", "--driver", driver, ...server.at("Gemini")]);
    const { stdout, stderr } = await run("read my notes", "react");
    expect({ stdout, stderr }).toEqual({
      stdout: "It says hello.\n",
      stderr: expect.stringContaining("✓ read 21 bytes"),
    });
    expect((await run("again?", "native")).stdout).toBe("As I said.\n");
    expect(JSON.stringify(server.requests[2])).toContain("functionResponse");
  });

  it("shows on stderr that a decision could not be read, and goes on", async () => {
    const server = await modelServer('{"nonsense":1}', '{"thought":"So.","type":"final_answer","answer":"Hello."}');
    const { stdout, stderr } = await place().cogency(["run", "hi", "--driver", "react", ...server.at("Gemini")]);
    expect(stdout).toBe("Hello.\n");
    expect(stderr).toMatch(/^! .*`type` is/m);
  });
});
