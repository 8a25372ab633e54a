/** Prose as a model writes it: lists, code spans, fences, and the odd `<` and marker that is only text. */
export const passages = [
  `I read \`src/session.ts\` and \`src/store.ts\` first. The session is opened before the lease is taken, so two processes can
hold the same conversation for a moment; that is the race you see in the log at 14:02:11. It only shows when the first
append is slower than the second open, which is why the test passes on most machines.`,
  `Two things have to change:

- \`open()\` takes the lease **before** it loads the log, and gives it back when loading fails
- \`append()\` checks the fencing token, not the owner's name, because names repeat after a restart

The rest of the module stays as it is. I would not touch \`close()\`: its order is right.`,
  `Here is the shape I have in mind:

\`\`\`ts
export async function open(key: Key, options: OpenOptions = {}): Promise<Session> {
  const lease = await store.lease(key, { owner: options.owner ?? randomId(), ttl: 30_000 });
  try {
    const log = await store.load(key);
    for (let i = 0; i < log.length && !isDone(log[i]); i++) replay(log[i]);
    return new Session(key, lease, log);
  } catch (error) {
    await lease.release(); // nothing was appended yet, so nothing is lost
    throw error;
  }
}
\`\`\`

The loop stops at the first unfinished batch; what follows is read again by \`recover\`.`,
  `1. Run the failing test alone, a hundred times, and note how often it fails.
2. Move the lease, run it again.
3. If it still fails, look at the clock: \`ttl < elapsed\` is compared in different units there.

None of this changes the public surface. If n < 10 the old path is kept, since 3 < 4 always holds for small batches.`,
  `The documentation says that a block such as \`<execute>\` or \`</execute>\` in a code span is only text, and that is so
here as well: the page quotes it twice. You could also write \`Map<string, number>\` without any harm.

| option | default | meaning |
|--------|---------|---------|
| \`ttl\` | 30 s | how long a lease lives without being renewed |
| \`owner\` | random | who holds it, for the message of the error |`,
  `One more remark, about the numbers. The table in the README was measured on another machine, and "twice as fast" was
true there; here it is closer to one and a half. I would say so plainly and give the command, so that anybody can run it:

\`\`\`sh
for size in 10 100 1000; do
  node bench/append.bench.ts --size "$size" | tee "out-$size.txt"
done
\`\`\`

That prints one table a size. Compare the medians, never the best of many.`,
];

/** A page and code with comparisons, as a whole answer holds them: a `<` every few characters. */
export const markup = [
  `<section class="card" id="sessions"><h2>Sessions</h2><p>Each <b>session</b> has <i>one</i> lease.</p>`,
  `<ul><li><a href="/open">open</a></li><li><a href="/close">close</a></li><li>a < b && c <= d</li></ul>`,
  `<table><tr><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table><br/><hr/></section>`,
  `for (let i = 0; i < rows.length; i++) if (rows[i] < low || high < rows[i]) std::vector<std::pair<int, T>> out;`,
].join("\n");

/** Reasoning: longer sentences, no markup to speak of. */
export const thoughts = [
  `The user wants to know why the second process does not wait. Let me think about what happens in order. The first one
opens, loads, and only then asks for the lease. If the second one asks in between, it gets it, and the first one fails
with a conflict at its first append, which is the message in the log. So the order is the bug, not the timeout.`,
  `Maybe I should check whether anything else depends on that order. The command line opens a session to list what is in
it, and never appends; it must not need a lease at all, or a second terminal could not list while the first one works.
So open needs an option, or better two functions, because a flag that changes what a function returns is hard to read.`,
  `What about the tests? There is one that starts two processes and lets them race, but it sleeps for 50 ms first, which
hides the problem nearly always. A barrier would be better: both wait on a file, and the parent creates it. Then it
fails every time before the change, and never after it, and nobody has to wait. I will write that one first.`,
  `Is it "read, then write" or the other way round? The calls of one batch run in parallel unless they touch the same file,
so the read of the config and the write of the store can go together. The run of the tests has to come in a later step.`,
];

/** Lines of source code as they stand in arguments: quotes, tabs, backslashes, comparisons. */
export const codeLines = [
  `import { mkdtempSync, readFileSync } from "node:fs";`,
  `import type { Session, SessionOptions } from "./session.ts";`,
  ``,
  `/** What a session costs above the statements it cannot do without. */`,
  `export function sessionOf(key, options = {}) {`,
  `  const { owner = "nobody", ttl = 30_000, retries = 3 } = options;`,
  `  if (typeof key !== "string" || key.length === 0) {`,
  `    throw new TypeError(\`A session needs a key, not "\${String(key)}".\`);`,
  `  }`,
  `  for (let attempt = 0; attempt < retries && !isDone(attempt); attempt++) {`,
  `    const path = join(folder, "sessions", \`\${key}-\${attempt}.json\`);`,
  `    const text = readFileSync(path, "utf8").replace(/\\r\\n/g, "\\n");`,
  `    if (text.startsWith("{") && text.length <= 4096) return JSON.parse(text);`,
  `\t// the file is still being written: wait, and read it again`,
  `    await delay(2 ** attempt * 50);`,
  `  }`,
  `  return undefined;`,
  `}`,
  ``,
  `describe("sessionOf", () => {`,
  `  it("reads what was written before", async () => {`,
  `    const folder = mkdtempSync(join(tmpdir(), "session-"));`,
  `    expect(await sessionOf("a", { folder })).toEqual({ key: "a", events: [] });`,
  `    expect(log.filter((line) => line.includes('"error"'))).toHaveLength(0);`,
  `  });`,
  `});`,
];
