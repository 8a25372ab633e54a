import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { postgresStore } from "@cogency/storage-postgres";
import { createDatabase, dumpSchema, startPostgres } from "@tooling/postgres";
import { build } from "tsup";
import { digestOf, type FrozenTalk } from "./frozen-talk.ts";
import { key } from "./talk.ts";

// `node freeze.ts <name>`: writes <name>.sql.gz, <name>.json and <name>.js.br beside this file, with the present build.
const name = process.argv[2] ?? "";
const pathOf = (end: string) => fileURLToPath(new URL(`${name}.${end}`, import.meta.url));
const programOf = (file: string) => fileURLToPath(new URL(file, import.meta.url));
if (!/^[\w-]+$/.test(name) || existsSync(pathOf("json"))) throw new Error("Give a name that no frozen talk has.");
const folder = mkdtempSync(join(tmpdir(), "cogency-freeze-"));
const server = await startPostgres();
try {
  const { url } = await createDatabase(server.url);
  const charges = join(folder, "charges");
  writeFileSync(charges, "");
  const program = [programOf("talk-process.ts"), url, charges];
  const { signal } = spawnSync(process.execPath, program, { stdio: "inherit" });
  if (signal !== "SIGKILL") throw new Error("It was not killed in the middle of a call.");
  // As it is now: opened again, the store might be changed.
  writeFileSync(pathOf("sql.gz"), gzipSync(dumpSchema(url, "cogency"), { level: 9 }));
  const store = await postgresStore({ url });
  const log = await store.load(key);
  await store.close();
  const frozen: FrozenTalk = {
    events: log.length,
    digest: digestOf(log),
    charges: readFileSync(charges, "utf8").split("\n").length - 1,
  };
  writeFileSync(pathOf("json"), `${JSON.stringify(frozen, undefined, 2)}\n`);
  writeFileSync(pathOf("js.br"), brotliCompressSync(await holder()));
  console.log(name, frozen);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/** The program that goes on with the conversation, and all that it imports, as one module. */
async function holder(): Promise<Buffer> {
  const entry = { holder: programOf("holder-process.ts") };
  const alone = { noExternal: [/./], splitting: false, outExtension: () => ({ js: ".mjs" }) };
  await build({ entry, ...alone, format: "esm", target: "es2023", outDir: folder, config: false, silent: true });
  return readFileSync(join(folder, "holder.mjs"));
}
