import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { keptFolder, readKept, sweepFolders, sweepKept, writeKept } from "./kept-code.ts";

const file = "main-1A2B3C4D.cjs";
const text = "the text of the file";
const kept = { code: Buffer.from("compiled"), uses: 12 };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);

function place() {
  const folder = mkdtempSync(join(tmpdir(), "cogency-kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, at: (...names: string[]) => join(folder, ...names) };
}

describe("kept code", () => {
  it("is read again with its uses, for the same text only, and not if a byte of it is damaged", () => {
    const { folder, at } = place();
    expect(readKept(folder, file, text)).toBeUndefined();
    writeKept(folder, file, text, { code: Buffer.from("older"), uses: 11 });
    writeKept(folder, file, text, kept);
    expect(readKept(folder, file, text)).toEqual(kept);
    expect(readKept(folder, file, `${text}.`)).toBeUndefined();
    const [name = "", ...others] = readdirSync(folder);
    expect(others).toEqual([]);
    const bytes = readFileSync(at(name));
    for (const damaged of [bytes.subarray(0, -1), bytes.subarray(0, 5), bytes.with(15, 1)]) {
      writeFileSync(at(name), damaged);
      expect(readKept(folder, file, text)).toBeUndefined();
    }
  });

  it.skipIf(process.platform === "win32")(
    "is read neither through a link, from a pipe, nor from a file that another user could have written",
    () => {
      const { folder, at } = place();
      writeKept(folder, file, text, kept);
      const path = at(...readdirSync(folder));
      chmodSync(path, 0o620);
      expect(readKept(folder, file, text)).toBeUndefined();
      chmodSync(path, 0o600);
      expect(readKept(folder, file, text)).toEqual(kept);
      const getuid = vi.spyOn(process, "getuid").mockReturnValue((process.getuid?.() ?? 0) + 1);
      expect(readKept(folder, file, text)).toBeUndefined();
      getuid.mockRestore();
      renameSync(path, at("elsewhere"));
      symlinkSync("elsewhere", path);
      expect(readKept(folder, file, text)).toBeUndefined();
      rmSync(path);
      execFileSync("mkfifo", [path]);
      expect(readKept(folder, file, text)).toBeUndefined();
    },
  );

  it("of a file that the app no longer has is removed, and an abandoned draft after an hour, but nothing else", () => {
    const { folder, at } = place();
    for (const name of [file, "gone-1A2B3C4D.cjs"]) writeKept(folder, name, text, kept);
    const drafts = [`${file}.code.k3x9.draft`, `${file}.code.7.draft`];
    const others = [
      "id_ed25519",
      "notes.cjs",
      "gone-1A2B3C4D.cjs",
      "..cjs.code",
      "gone.cjs.code.old",
      "folder.cjs.code",
    ];
    for (const name of [...drafts, ...others.slice(0, -1)]) writeFileSync(at(name), "");
    mkdirSync(at("folder.cjs.code"));
    for (const name of [drafts[1] ?? "", ...others]) utimesSync(at(name), hoursAgo(2), hoursAgo(2));
    sweepKept(folder, (name) => name === file);
    expect(readdirSync(folder).toSorted()).toEqual([`${file}.code`, drafts[0], ...others].toSorted());
  });

  it("of another version or installation is left until nothing was kept there for a month, and no link is followed", () => {
    const { folder, at } = place();
    const [own = "", recent = "", old = "", odd = "", link = ""] = "abcde"
      .split("")
      .map((app) => keptFolder("1.0.0", app));
    for (const name of [own, recent, old, odd, "keys", "other"]) {
      mkdirSync(at(name));
      writeKept(at(name), file, text, kept);
    }
    writeFileSync(at(odd, "id_ed25519"), "");
    symlinkSync("keys", at(link));
    for (const name of [own, old, odd, "keys", "other"]) utimesSync(at(name), hoursAgo(1000), hoursAgo(1000));
    lutimesSync(at(link), hoursAgo(1000), hoursAgo(1000));
    sweepFolders(folder, own);
    expect(readdirSync(folder).toSorted()).toEqual([own, recent, odd, link, "keys", "other"].toSorted());
    expect(readdirSync(at(odd))).toEqual(["id_ed25519"]);
    for (const name of [own, recent, "keys", "other"]) expect(existsSync(at(name, `${file}.code`))).toBe(true);
  });
});
