import { createHash } from "node:crypto";

/** One chunk of the bundle. */
export interface Chunk {
  /** Its file, such as `main-CL5A4OWQ.cjs`. */
  name: string;
  /** Its CommonJS code, with `$chunkOf("./main-CL5A4OWQ.cjs")` where it needs the exports of another chunk. */
  code: string;
  /** The chunks that it imports statically. */
  imports: readonly string[];
}

/**
 * Puts the chunks that a command needs into one file, since Node has to find, read and check every file. A file is loaded with
 * all that its chunks import, so a command that is running misses nothing when an update replaces the files. But a chunk is
 * evaluated only when something of it is first used.
 *
 * @param commands chunks by their names without hashes; the first is the file that Node runs, the second what that always loads
 * @param parts chunks that commands load later, each of which is put together with what it alone needs besides
 * @returns the texts of the files by their names
 */
export function pack(
  chunks: readonly Chunk[],
  commands: readonly string[],
  parts: readonly string[] = [],
): Map<string, string> {
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  const needs = new Map([...commands, ...parts].map((name) => [name, closure(name, chunks, byName)]));
  const usersOf = ({ name }: Chunk, among: readonly string[]) => among.filter((one) => needs.get(one)?.has(name));
  const packs = new Map<string, Chunk[]>();
  for (const chunk of chunks) {
    const ofCommands = usersOf(chunk, commands);
    const users = ofCommands.length > 0 ? ofCommands : usersOf(chunk, parts);
    const isShared = users[0] === commands[0] || users[0] === commands[1];
    const key = users.length === 0 ? chunk.name : isShared ? (users[0] ?? "") : users.join("+");
    packs.set(key, [...(packs.get(key) ?? []), chunk]);
  }
  const hash = hashOf(chunks);
  const fileOf = new Map<string, string>();
  for (const [key, members] of packs) {
    const file = key === commands[0] ? `${key}.cjs` : key.endsWith(".cjs") ? key : `${key}-${hash}.cjs`;
    for (const { name } of members) fileOf.set(name, file);
  }
  return new Map(
    [...packs.values()].map((members) => {
      const file = fileOf.get(members[0]?.name ?? "") ?? "";
      const text = textOf(members, file, fileOf);
      // Node runs the first command. Each other file waits until something of it is used.
      return [file, file === `${commands[0]}.cjs` ? `${text}\nexports[${JSON.stringify(file)}]();` : text];
    }),
  );
}

/** The chunk of a command with everything that it imports statically, directly or not. */
function closure(command: string, chunks: readonly Chunk[], byName: ReadonlyMap<string, Chunk>): Set<string> {
  const first = chunks.find(({ name }) => withoutHash(name) === command);
  if (!first) throw new Error(`There is no chunk of ${command}.`);
  const found = new Set([first.name]);
  for (const name of found) for (const next of byName.get(name)?.imports ?? []) found.add(next);
  return found;
}

function textOf(members: readonly Chunk[], file: string, fileOf: ReadonlyMap<string, string>): string {
  const needed = new Set(members.flatMap(({ imports }) => imports.map((name) => fileOf.get(name) ?? "")));
  needed.delete(file);
  const files = [...needed];
  const exportsOf = (name: string) => {
    const place = fileOf.get(name) ?? "";
    const at = files.indexOf(place);
    return place === file ? "exports" : at < 0 ? `require("./${place}")` : `$file${at}`;
  };
  const bodies = members.map(({ name, code }) => {
    const linked = code.replaceAll(
      /\$chunkOf\("\.\/([^"]+)"\)/g,
      (_, target: string) => `${exportsOf(target)}[${JSON.stringify(target)}]()`,
    );
    return `exports[${JSON.stringify(name)}] = $evaluated((module) => {${linked}\n});`;
  });
  const loaded = files.map((name, at) => `const $file${at} = require("./${name}");`);
  return [evaluated, ...loaded, ...bodies].join("\n");
}

/** Evaluates a chunk once. Chunks may import each other, so its exports are there before it has ended. */
const evaluated =
  "const $evaluated = (body) => { let module; return () => { if (!module) body((module = { exports: {} })); return module.exports; }; };";

/** Files name each other, so each gets the hash of all. */
function hashOf(chunks: readonly Chunk[]): string {
  const codes = chunks.map(({ code }) => code).join();
  return createHash("sha256").update(codes).digest("hex").slice(0, 8).toUpperCase();
}

function withoutHash(name: string): string {
  return name.replace(/(-[A-Z\d]{8})?\.cjs$/, "");
}
