// Runs scripts by bash, each in a folder of its own, with a PATH that holds nothing but a program which records its words under
// every name. Reads `scripts.json`, writes `records.json`.
import { spawnSync } from "node:child_process";
import { chmodSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const base = process.argv[2];
const { bash, args, programs, builtins, files, scripts } = JSON.parse(readFileSync(join(base, "scripts.json"), "utf8"));
const bin = join(base, "bin");
mkdirSync(bin);
const recorder = `#!/bin/sh
printf '%s\\0' "\${0##*/}" "$@" "$RECORD_END" >> "$RECORD_LOG"
exit "$RECORD_EXIT"
`;
for (const name of programs) {
  writeFileSync(join(bin, name), recorder);
  chmodSync(join(bin, name), 0o755);
}
const prelude = join(base, "prelude");
writeFileSync(prelude, `enable -n ${builtins.join(" ")}\n`);

const end = "\u0001end";
const log = join(base, "log");
const folder = join(base, "work");
const records = scripts.map((script) =>
  [0, 1].map((exit) => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "src"), { recursive: true });
    for (const file of files) writeFileSync(join(folder, file), "text\n");
    writeFileSync(log, "");
    const env = {
      PATH: bin,
      BASH_ENV: prelude,
      RECORD_LOG: log,
      RECORD_END: end,
      RECORD_EXIT: String(exit),
      LC_ALL: "C.UTF-8",
    };
    const { error, stderr } = spawnSync(bash, [...args, script], {
      cwd: folder,
      env,
      timeout: 5000,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ran = readFileSync(log, "utf8")
      .split(`${end}\0`)
      .slice(0, -1)
      .map((record) => record.split("\0").slice(0, -1));
    const made = globSync("**", { cwd: folder }).filter(
      (path) => !files.includes(path) && path !== "src" && path !== ".",
    );
    return { ran, made, stderr: error ? String(error) : stderr };
  }),
);
writeFileSync(join(base, "records.json"), JSON.stringify(records));
