// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of a configuration are written so.
import { describe, expect, it } from "vitest";
import { configOf } from "../config/config-file.ts";

const config = (mcp: unknown) => configOf("/home/ada/.config/cogency/config.json", JSON.stringify({ mcp })).mcp;

describe("the key mcp of a configuration", () => {
  it("holds programs and addresses with what belongs to them", () => {
    const servers = {
      docs: { command: "npx", args: ["-y", "docs"], env: { TOKEN: "${TOKEN}" }, cwd: "tools", sandbox: true },
      github: {
        url: "https://mcp.example.com/mcp",
        headers: { Authorization: "Bearer ${GITHUB_TOKEN}" },
        timeout: 20,
        connectTimeout: 5,
        tools: ["search_*"],
        without: ["delete"],
        approval: { "*": "ask" },
        readOnly: ["search_*"],
        disabled: true,
      },
    };
    expect(config({ servers, findAbove: 10 })).toEqual({ servers, findAbove: 10 });
  });

  it.each([
    ["a list", [], 'mcp has to be an object, such as {"servers": {"docs":'],
    ["a mistyped key", { server: {} }, "there is no key mcp.server. Did you mean mcp.servers?"],
    ["a number below 0", { findAbove: -1 }, "mcp.findAbove has to be a whole number from 0 up."],
    ["a list of servers", { servers: [] }, "mcp.servers has to be an object"],
    [
      "a server's name with a space",
      { servers: { "my docs": { command: "a" } } },
      "mcp.servers.my docs: a server's name",
    ],
    [
      "a name that would hide where it ends",
      { servers: { a__b: { command: "a" } } },
      "mcp.servers.a__b: a server's name",
    ],
    [
      "a server that is a text",
      { servers: { docs: "npx" } },
      "mcp.servers.docs has to be an object with a command or a url.",
    ],
    ["neither command nor url", { servers: { docs: {} } }, "mcp.servers.docs has to have either a command"],
    ["a mistyped command", { servers: { docs: { comand: "a" } } }, "Did you mean mcp.servers.docs.command?"],
    [
      "both",
      { servers: { docs: { command: "a", url: "https://a" } } },
      "mcp.servers.docs has to have either a command",
    ],
    [
      "headers of a program",
      { servers: { docs: { command: "a", headers: {} } } },
      "there is no key mcp.servers.docs.headers.",
    ],
    [
      "an argument in place of arguments",
      { servers: { docs: { command: "a", args: "-y" } } },
      "mcp.servers.docs.args has to be a list of texts",
    ],
    [
      "a number as a variable",
      { servers: { docs: { command: "a", env: { A: 1 } } } },
      "mcp.servers.docs.env has to be an object of texts",
    ],
    [
      "another scheme",
      { servers: { docs: { url: "file:///etc/passwd" } } },
      "mcp.servers.docs.url has to be an address",
    ],
    [
      "an answer that there is not",
      { servers: { docs: { command: "a", approval: { x: "yes" } } } },
      'mcp.servers.docs.approval has to be an object from tools to "allow", "ask" or "deny"',
    ],
    [
      "no time",
      { servers: { docs: { command: "a", timeout: 0 } } },
      "mcp.servers.docs.timeout has to be a number of seconds above 0",
    ],
    [
      "too many servers",
      { servers: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`s${at}`, { command: "a" }])) },
      "mcp.servers has 51 servers, and at most 50 are allowed.",
    ],
  ])("refuses %s, and says what to write", (_, mcp, message) => {
    expect(() => config(mcp)).toThrow(message);
  });
});
