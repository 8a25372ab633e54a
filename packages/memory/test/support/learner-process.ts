import { scripted } from "@cogency/provider";
import { sqliteStore } from "@cogency/storage-sqlite";
import { memory } from "../../src/index.ts";

/**
 * A process that learns: `node learner-process.ts <store> <messages>`. It says so many messages, one after another, learns after each,
 * and writes a line whenever it has learned. With 0 messages it waits for a line on stdin, learns once what is there, and ends.
 */
const [path = "", count = "0"] = process.argv.slice(2);
const store = await sqliteStore({ path });
const provider = scripted(
  Array.from({ length: 10_000 }, () => ({ messages: [first] }: { messages: readonly { role: string }[] }) => {
    const lines = String((first as { content?: unknown } | undefined)?.content).split("\n");
    const said = lines.map((line) => JSON.parse(line) as { message?: number; words: string });
    const keep = said.flatMap(({ message, words }) => (message ? [{ message, words, about: "rule" }] : []));
    return { chunks: JSON.stringify({ keep, drop: [] }), delay: 5 };
  }),
);
const own = memory({ store, provider, every: 1 });
if (Number(count) === 0) {
  process.stdout.write("ready\n");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  const { memories } = await own.learn();
  process.stdout.write(`learned ${memories.length}\n`);
} else {
  for (let at = 0; at < Number(count); at++) {
    const timestamp = Date.now() / 1000;
    const origin = { type: "record" as const, kind: "origin" as const, data: { proof: "p" }, timestamp };
    const conversation = crypto.randomUUID();
    const content = `The word of ${conversation} counts.`;
    await store.append({ conversation }, [origin as never, { type: "user", content, timestamp }]);
    await own.learn();
    process.stdout.write("learned\n");
  }
}
await store.close();
process.stdin.destroy();
