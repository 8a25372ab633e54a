import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "@cogency/protocol";
import { describe, expect, it, vi } from "vitest";
import type { Person } from "../../src/chat/conversation/person.ts";
import { isolation } from "../support/isolation.ts";
import { conversationWith } from "../support/scripted-conversation.ts";

const { isolated } = await isolation();

const call = (name: string, args: JsonObject) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;
const shell = (command: string, more: JsonObject = {}) => call("shell", { command, ...more });

/** A person who answers every question in the same way, and the calls that were asked about. */
function personWho(approves: boolean) {
  const asked: Json[] = [];
  const person: Person = {
    canAnswer: () => true,
    ask: async ({ call: { name, args } }) => {
      asked.push({ name, args });
      return { approved: approves };
    },
    answer: async () => "yes",
  };
  return { asked, person };
}

async function said(talk: ReturnType<typeof conversationWith>, steps: number) {
  talk.conversation.submit("go");
  await vi.waitFor(() => expect(talk.provider.requests).toHaveLength(steps), { timeout: 60_000 });
  await talk.idle();
}

describe("the eight steps of a day's work", () => {
  const work = [
    call("list", { path: "." }),
    call("read", { file: "src/index.js" }),
    shell("grep -rn foo src | head -5"),
    call("edit", { file: "src/index.js", edits: [{ old: "foo", new: "bar" }] }),
    shell("npm test 2>&1 | tail -20"),
    shell("node server.js > server.log 2>&1 & sleep 0.2; kill %1; cat server.log"),
    shell("curl -s http://127.0.0.1:3000/ || echo nothing"),
    shell("cat > src/made.js <<'EOF'\nexport const made = `$x`;\nEOF"),
    shell("rm -rf build"),
    "Done.",
  ];

  it.runIf(isolated)("take no question in the mode sandboxed, and two at most if a host is named", async () => {
    const { asked, person } = personWho(true);
    const install = shell("npm install left-pad", { hosts: ["registry.invalid"] });
    const steps = [...work.slice(0, 5), install, ...work.slice(5)];
    const talk = conversationWith(steps, {}, { sandbox: "auto", mode: "sandboxed" }, person);
    mkdirSync(join(talk.root, "src"));
    mkdirSync(join(talk.root, "build"));
    writeFileSync(join(talk.root, "src", "index.js"), "export const foo = 1;\n");
    writeFileSync(join(talk.root, "server.js"), 'console.log("ready"); setInterval(() => {}, 1000);\n');
    writeFileSync(join(talk.root, "package.json"), '{ "scripts": { "test": "echo tested; exit 1" } }');
    await said(talk, steps.length);
    const results = talk.events.flatMap((event) => (event.type === "result" ? event.content : []));
    expect(results).toHaveLength(steps.length - 1);
    expect(results.filter((text) => /was refused|was not run/.test(text))).toEqual([]);
    expect(results[4]).toContain("tested");
    expect(asked).toEqual([{ name: "shell", args: { command: "npm install left-pad", hosts: ["registry.invalid"] } }]);
    expect(asked.length).toBeLessThanOrEqual(2);
    expect(readFileSync(join(talk.root, "src", "made.js"), "utf8")).toBe("export const made = `$x`;\n");
    expect(readFileSync(join(talk.root, "src", "index.js"), "utf8")).toContain("bar");
    expect(existsSync(join(talk.root, "build"))).toBe(false);
  });
});

describe("the mode of a chat", () => {
  it("counts from the next call on, also in the turn that goes on", async () => {
    const { asked, person } = personWho(false);
    const write = (file: string) => call("write", { file, content: "x" });
    const talk = conversationWith(
      [
        write("asked.txt"),
        () => {
          void talk.conversation.command("mode", "edits");
          return write("edited.txt");
        },
        () => shell("touch asked-too.txt"),
        () => {
          void talk.conversation.command("mode", "read-only");
          return write("refused.txt");
        },
        () => {
          void talk.conversation.command("mode", "ask");
          return write("asked-again.txt");
        },
        "Done.",
      ],
      {},
      {},
      person,
    );
    await said(talk, 6);
    expect(asked.map((one) => JSON.stringify(one).replace(/.*"(?:file|command)":"([^"]*)".*/, "$1"))).toEqual([
      "asked.txt",
      "touch asked-too.txt",
      "asked-again.txt",
    ]);
    const files = ["asked.txt", "edited.txt", "asked-too.txt", "refused.txt", "asked-again.txt"];
    expect(files.filter((file) => existsSync(join(talk.root, file)))).toEqual(["edited.txt"]);
  });

  it("goes through all of them with the key, and skips sandboxed with a line that says why where there is no sandbox", async () => {
    const { conversation, shown } = conversationWith([], {}, { sandbox: "off" });
    const seen: string[] = [];
    for (let press = 0; press < 4; press++) {
      await conversation.nextMode();
      seen.push(conversation.state.mode);
    }
    expect(seen).toEqual(["edits", "plan", "read-only", "ask"]);
    expect(shown).toEqual(["The mode sandboxed cannot be used here: the sandbox is off. Leave --sandbox off out."]);
    await conversation.command("mode", "sandboxed");
    expect(shown.at(-1)).toMatch(/^The mode sandboxed cannot be used here: the sandbox is off\./);
    expect(conversation.state.mode).toBe("ask");
  });

  it.runIf(isolated)("goes through sandboxed where there is a sandbox, however fast the key is pressed", async () => {
    const { conversation, shown } = conversationWith([], {}, { sandbox: "auto" });
    await Promise.all([conversation.nextMode(), conversation.nextMode()]);
    expect(conversation.state.mode).toBe("sandboxed");
    await Promise.all([conversation.nextMode(), conversation.nextMode(), conversation.nextMode()]);
    expect([conversation.state.mode, shown]).toEqual(["ask", []]);
  });

  it.each([
    [{ mode: "edits" } as const, "ask"],
    [{ yes: true } as const, "ask"],
    [{ deny: true } as const, "ask"],
    [{ readOnly: true } as const, "ask"],
  ])("set by %j can be changed to %s, and no option of before stays", async (choice, mode) => {
    const { conversation } = conversationWith([], {}, choice);
    await conversation.command("mode", mode);
    expect(conversation.state.mode).toBe(mode);
    const { yes, deny, readOnly } = conversation.session.choice;
    expect([yes, deny, readOnly]).toEqual([undefined, undefined, undefined]);
  });
});
