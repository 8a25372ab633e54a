import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

const server = new LLMock({ port: 0, chunkSize: 5 });
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });

/** Resolves when the model was told of the refund of B2, to which it does not answer the first time. */
const told = Promise.withResolvers<void>();

beforeAll(async () => {
  server.onMessage("Refund order A1.", ({ messages }) => {
    const { role, content } = messages.at(-1) ?? {};
    if (role !== "tool") return call("lookup", { order: "A1" });
    const found = JSON.stringify(content);
    if (found.includes("lamp")) return call("refund", { order: "A1", amount: 40 });
    return { content: found.includes("40 refunded") ? "You have your money back." : "It stays as it is." };
  });
  let isFirst = true;
  server.onMessage("Refund order B2.", ({ messages }) => {
    const { role, content } = messages.at(-1) ?? {};
    if (role !== "tool") return call("refund", { order: "B2", amount: 5 });
    if (!isFirst) return { content: `It says: ${String(content)}` };
    isFirst = false;
    told.resolve();
    return new Promise(() => {});
  });
  server.onMessage("Thank you.", { content: "You are welcome." });
  await server.start();
});
afterAll(() => server.stop());

/** The programs, and the variable of the second provider that each can ask. */
const programs = [
  { file: "refunds.ts", second: "anthropic" },
  { file: "refunds-openai-agents.ts", second: "other" },
];

describe.each(programs)("the program of $file", ({ file, second: provider }) => {
  it("shows each call, asks before it refunds, and streams the answer", async () => {
    const { start, refunds } = shop(file);
    const program = start("case-7", "Refund order A1.");
    await program.says('refund {"order":"A1","amount":40}? (yes/no) ');
    expect(refunds()).toBe("");
    program.answer("yes");
    const output = await program.ends();
    expect(output).toContain('→ lookup {"order":"A1"}\nsuccess {"order":"A1","item":"lamp","paid":40}\n');
    expect(output).toContain('success "A1: 40 refunded"\nYou have your money back.\ncompleted\n');
    expect(refunds()).toBe("A1 40\n");
  });

  it("does not refund when the person says no", async () => {
    const { start, refunds } = shop(file);
    const program = start("case-7", "Refund order A1.");
    await program.says("(yes/no) ");
    program.answer("no");
    expect(await program.ends()).toContain("It stays as it is.\ncompleted\n");
    expect(refunds()).toBe("");
  });

  it("asks again after a crash in the middle of the question, and refunds once", async () => {
    const { start, refunds } = shop(file);
    const first = start("case-7", "Refund order A1.");
    await first.says("(yes/no) ");
    await first.dies();
    const second = start("case-7");
    await second.says('refund {"order":"A1","amount":40}? (yes/no) ');
    second.answer("yes");
    const output = await second.ends();
    expect(output).not.toContain("→ lookup");
    expect(output).toContain("You have your money back.\ncompleted\n");
    expect(refunds()).toBe("A1 40\n");
  });

  it("ends at Ctrl-C without a refund", async () => {
    const { start, refunds } = shop(file);
    const program = start("case-7", "Refund order A1.");
    await program.says("(yes/no) ");
    program.interrupt();
    expect(await program.ends()).toMatch(/\nstopped\n$/);
    expect(refunds()).toBe("");
  });

  it("goes on with another provider, which reads what was said before", async () => {
    const { start } = shop(file);
    const first = start("case-7", "Refund order A1.");
    await first.says("(yes/no) ");
    first.answer("yes");
    await first.ends();
    const second = start("case-7", "Thank you.", { PROVIDER: provider });
    expect(await second.ends()).toBe("You are welcome.\ncompleted\n");
    expect(JSON.stringify(server.getLastRequest()?.body)).toContain("You have your money back.");
    expect(server.getLastRequest()?.path).toBe(provider === "anthropic" ? "/v1/messages" : "/v1/chat/completions");
  });
});

describe("the program of refunds.ts", () => {
  it("does not ask or refund again after a crash between the refund and the answer", async () => {
    const { start, refunds } = shop("refunds.ts");
    const first = start("case-7", "Refund order B2.");
    await first.says("(yes/no) ");
    first.answer("yes");
    await told.promise;
    await first.dies();
    const output = await start("case-7").ends();
    expect(output).toBe("It says: B2: 5 refunded\ncompleted\n");
    expect(refunds()).toBe("B2 5\n");
  });
});

/** A folder for the program, and what it has refunded there. */
function shop(program: string) {
  const cwd = mkdtempSync(join(tmpdir(), "cogency-program-"));
  const children: ChildProcess[] = [];
  onTestFinished(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(cwd, { recursive: true, maxRetries: 5 });
  });
  const file = join(cwd, "refunds.txt");
  return {
    refunds: () => (existsSync(file) ? readFileSync(file, "utf8") : ""),
    start(conversation: string, prompt?: string, more: NodeJS.ProcessEnv = {}) {
      const path = fileURLToPath(new URL(program, import.meta.url));
      const args = [path, conversation, ...(prompt === undefined ? [] : [prompt])];
      const child = spawn(process.execPath, args, { cwd, env: { ...environment(), ...more }, stdio: "pipe" });
      children.push(child);
      return started(child);
    },
  };
}

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    NODE_NO_WARNINGS: "1",
    REFUNDS_SECRET: "a secret that all processes have in common",
    OPENAI_BASE_URL: `${server.url}/v1`,
    OPENAI_API_KEY: "key-of-the-test",
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: "key-of-the-test",
    OTHER_BASE_URL: `${server.url}/v1`,
    OTHER_API_KEY: "key-of-the-test",
  };
}

function started(child: ReturnType<typeof spawn>) {
  let output = "";
  let errors = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    errors += chunk;
  });
  const closed = once(child, "close");
  return {
    /** Resolves as soon as the output holds the text. */
    async says(text: string): Promise<void> {
      while (!output.includes(text)) {
        await Promise.race([once(child.stdout ?? child, "data"), closed]);
        if (child.exitCode !== null && !output.includes(text)) throw new Error(`It ended.\n${output}${errors}`);
      }
    },
    answer: (line: string) => child.stdin?.write(`${line}\n`),
    interrupt: () => child.kill("SIGINT"),
    async dies(): Promise<void> {
      child.kill("SIGKILL");
      await closed;
    },
    /** The whole output of a program that ends without an error. */
    async ends(): Promise<string> {
      const [code] = await closed;
      if (code !== 0) throw new Error(`It ended with ${code}.\n${output}${errors}`);
      return output;
    },
  };
}
