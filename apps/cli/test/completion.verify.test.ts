import { execFile } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completionScripts, type Shell } from "../src/commands/completion/scripts.ts";
import { bin, caches, place } from "./support/command-line.ts";
import { hasFish, hasZsh } from "./support/shells.ts";

const lines = ["cogency hist", "cogency run --driver n", "cogency history show n", "cogency run --prices no"];
/** What the scripts do differently: names with a text, and files. */
const differing = lines.slice(2);

describe("the completion script loads without a message, and completes commands, options, conversations and files:", () => {
  const ends: (() => unknown)[] = [];
  const { cogency, folder } = place((end) => void ends.push(end as () => unknown));
  const text = (name: string) => readFileSync(join(folder, name), "utf8");
  const run = (shell: Shell, args: string[]) =>
    promisify(execFile)(shell, args, {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder, XDG_CACHE_HOME: caches },
    });

  beforeAll(async () => {
    await cogency(["--conversation", "notes-of-may", "hello"]);
    for (const [shell, script] of Object.entries(completionScripts))
      writeFileSync(join(folder, `completion.${shell}`), script);
    writeFileSync(join(folder, "cogency"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
    chmodSync(join(folder, "cogency"), 0o755);
  });
  afterAll(() => {
    for (const end of ends.toReversed()) end();
  });

  it("bash", async () => {
    expect((await cogency(["completion", "bash"])).stdout).toBe(completionScripts.bash);
    const asked = lines.map(
      (line) => `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _cogency; echo "\${COMPREPLY[*]}"`,
    );
    const { stdout, stderr } = await run("bash", ["-c", `. ./completion.bash; ${asked.join("; ")}`]);
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual(["history", "native", "notes-of-may", "notes.txt", ""]);
  });

  // zsh completes only what somebody types, so this types into a pseudo-terminal that zsh makes.
  it.skipIf(!hasZsh)("zsh", async () => {
    writeFileSync(
      join(folder, "type.zsh"),
      `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -Uz compinit && compinit -u -D && source ./completion.zsh 2> messages'
zpty -w shell 'complete-line() { zle expand-or-complete; print -r -- "$BUFFER" >> completed; zle kill-whole-line }'
zpty -w shell 'zle -N complete-line; bindkey "^I" complete-line'
${differing.map((line) => `zpty -w -n shell "${line}"$'\\t'`).join("\n")}
zpty -w -n shell $'exit\\n'
while zpty -r shell printed; do :; done
`,
    );
    await run("zsh", ["-f", "type.zsh"]);
    expect(text("messages")).toBe("");
    expect(text("completed").split("\n")).toEqual([
      "cogency history show notes-of-may ",
      "cogency run --prices notes.txt ",
      "",
    ]);
  });

  it.skipIf(!hasFish)("fish", async () => {
    const asked = differing.map((line) => `complete -C '${line}'`);
    const { stdout, stderr } = await run("fish", ["-c", `source completion.fish; ${asked.join("; ")}`]);
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual(["notes-of-may\thello", "notes.txt", ""]);
  });
});
