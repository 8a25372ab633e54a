import { execFileSync, spawn } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { FileError, readRegularFile, readRegularText } from "./read-regular-file.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cogency-read-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});
const at = (path: string) => join(folder, path);
const linked = (path: string, target: string) => {
  symlinkSync(target, at(path));
  return at(path);
};
const made = (program: string, ...args: string[]) => {
  execFileSync(program, args, { cwd: folder });
  return at(args.at(-1) ?? "");
};
const piped = () => {
  const child = spawn("sleep", ["60"], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};
const put = (path: string, text: string) => {
  mkdirSync(join(at(path), ".."), { recursive: true });
  writeFileSync(at(path), text);
  return at(path);
};

describe("a file that nobody vouches for", () => {
  it("is read whole, with its real path, also through a link", () => {
    put("a.json", "{}");
    symlinkSync("a.json", at("link"));
    expect(readRegularText(at("link"))).toBe("{}");
    expect(readRegularFile(at("link"))).toMatchObject({ real: at("a.json"), size: 2 });
  });

  it("is undefined where there is none", () => {
    put("a.json", "{}");
    symlinkSync("nowhere", at("dangling"));
    for (const path of ["none", "none/below", "a.json/below", "dangling"])
      expect(readRegularFile(at(path)), path).toBeUndefined();
  });

  it.runIf(process.platform === "linux").each<[string, () => string, string]>([
    ["a device that never ends", () => "/dev/zero", "it is not a regular file"],
    ["a link to one", () => linked("link", "/dev/zero"), "it is not a regular file"],
    ["a FIFO", () => made("mkfifo", "fifo"), "it is not a regular file"],
    ["a folder", () => folder, "it is not a regular file"],
    ["a pipe of this process", () => `/proc/${piped().pid}/fd/1`, "it is not a regular file"],
    ["a terminal", () => "/dev/tty", "it is not a regular file"],
    ["a circle of links", () => linked("a", basename(linked("b", "a"))), "lead in a circle"],
    ["a file of 1 TiB without content", () => made("truncate", "-s", "1T", "big"), "it has 1099511627776"],
  ])("is refused at once where it is %s", (_, make, why) => {
    const file = make();
    expect(() => readRegularFile(file)).toThrow(FileError);
    expect(() => readRegularFile(file)).toThrow(why);
  });

  it.runIf(process.platform === "linux").each(["/proc/self/environ", "/proc/self/maps", "/proc/version"])(
    "holds no more than it says: %s says that it is empty",
    (file) => {
      expect(readRegularText(file)).toBe("");
    },
  );

  it("is refused where it is longer than allowed, or cut where that is allowed", () => {
    const file = put("a", "abcdef");
    expect(readRegularText(file, { most: 6 })).toBe("abcdef");
    expect(() => readRegularText(file, { most: 5 })).toThrow("it has 6 bytes, and at most 5 are allowed");
    expect(readRegularFile(file, { most: 5, cuts: true })).toMatchObject({ bytes: Buffer.from("abcde"), size: 6 });
  });

  it.each<[string, () => string]>([
    ["a link", () => linked("in/link", "../outside")],
    ["a folder that is a link", () => join(linked("in/up", ".."), "outside")],
    ["a path with two dots", () => at("in/../outside")],
    ["a folder whose name begins alike", () => put("in2/a", "secret")],
  ])("is refused where it leads out of its folder by %s", (_, make) => {
    put("outside", "secret");
    put("in/a", "mine");
    const file = make();
    expect(() => readRegularFile(file, { within: at("in") })).toThrow(/it leads out of \S+\/in, to \S+\.$/);
    expect(readRegularText(at("in/a"), { within: at("in") })).toBe("mine");
  });

  it("is never a guarded one, under another name either", () => {
    put("keys/key", "secret");
    put("in/mine", "mine");
    symlinkSync("../keys/key", at("in/link"));
    linkSync(at("keys/key"), at("in/hard"));
    linkSync(at("in/mine"), at("in/mine-too"));
    for (const guarded of [[at("keys")], [at("keys/key")]]) {
      for (const path of ["keys/key", "in/link", "in/hard"])
        expect(() => readRegularFile(at(path), { guarded }), path).toThrow("a file of the app itself");
      expect(readRegularText(at("in/mine-too"), { guarded })).toBe("mine");
    }
  });

  it("is the old or the new one while another program replaces it", () => {
    put("a", "old");
    put("b", "new");
    const before = readRegularText(at("a"));
    renameSync(at("b"), at("a"));
    expect([before, readRegularText(at("a"))]).toEqual(["old", "new"]);
  });
});
