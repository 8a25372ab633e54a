import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bin, place } from "./support/command-line.ts";

it("the script for bash loads without a message, and completes commands, options, conversations and files", async () => {
  const { cogency, folder } = place();
  await cogency(["--conversation", "notes-of-may", "hello"]);
  const { stdout: script } = await cogency(["completion", "bash"]);
  writeFileSync(join(folder, "completion.bash"), script);
  writeFileSync(join(folder, "cogency"), `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  chmodSync(join(folder, "cogency"), 0o755);
  const lines = ["cogency hist", "cogency run --driver n", "cogency history show n", "cogency run --prices no"];
  const asked = lines.map(
    (line) => `COMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _cogency; echo "\${COMPREPLY[*]}"`,
  );
  const { stdout, stderr } = spawnSync("bash", ["-c", `. ./completion.bash; ${asked.join("; ")}`], {
    cwd: folder,
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual(["history", "native", "notes-of-may", "notes.txt", ""]);
});
