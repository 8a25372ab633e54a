import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fakePrograms, fakeWayland, png } from "../../../test/support/fake-clipboard.ts";
import { readClipboard } from "./read-clipboard.ts";

let folder = "";
let bin = "";
let picture = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cogency-clipboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  bin = join(folder, "bin");
  picture = join(folder, "picture");
  mkdirSync(join(folder, "root"));
  writeFileSync(picture, png);
});

const found = { kind: "picture", picture: { kind: "image", mediaType: "image/png", data: png.toString("base64") } };

function read(env: Record<string, string>, platform: NodeJS.Platform = "linux") {
  return readClipboard({ root: join(folder, "root"), env: { PATH: bin, ...env }, platform });
}

describe("readClipboard", () => {
  it("has a picture by wl-paste, and a text where there is no picture", async () => {
    fakeWayland(bin, { picture });
    expect(await read({ WAYLAND_DISPLAY: "w" })).toEqual(found);
    fakeWayland(bin, { text: "hello" });
    expect(await read({ WAYLAND_DISPLAY: "w" })).toEqual({ kind: "text", text: "hello" });
  });

  it("has a picture and a text by xclip, and a text by xsel", async () => {
    const targets = `case "$*" in *TARGETS*) echo image/png;; *image/png*) cat '${picture}';; *) echo no;; esac`;
    fakePrograms(bin, { xclip: targets });
    expect(await read({ DISPLAY: ":0" })).toEqual(found);
    fakePrograms(bin, { xclip: "exit 1", xsel: 'test "$*" = "--clipboard --output" && printf words' });
    expect(await read({ DISPLAY: ":0" })).toEqual({ kind: "text", text: "words" });
  });

  it("has a picture by osascript, and a text by pbpaste", async () => {
    const digits = png.toString("hex").toUpperCase();
    fakePrograms(bin, { osascript: `printf '«data PNGf${digits}»\\n'`, pbpaste: "printf words" });
    expect(await read({}, "darwin")).toEqual(found);
    fakePrograms(bin, { osascript: "exit 1" });
    expect(await read({}, "darwin")).toEqual({ kind: "text", text: "words" });
  });

  it("has a picture and a text by PowerShell under WSL", async () => {
    const script = `case "$*" in *GetImage*) base64 -w0 '${picture}';; *) printf words;; esac`;
    fakePrograms(bin, { "powershell.exe": script });
    expect(await read({ WSL_DISTRO_NAME: "Debian", DISPLAY: ":0" })).toEqual(found);
    fakePrograms(bin, { "powershell.exe": 'case "$*" in *GetImage*) ;; *) printf words;; esac' });
    expect(await read({ WSL_DISTRO_NAME: "Debian" })).toEqual({ kind: "text", text: "words" });
    // Where programs of Windows are not on the PATH.
    rmSync(join(bin, "powershell.exe"));
    fakeWayland(bin, { text: "of Linux" });
    const env = { WSL_DISTRO_NAME: "Debian", WAYLAND_DISPLAY: "w" };
    expect(await read(env)).toEqual({ kind: "text", text: "of Linux" });
  });

  it.each([
    ["that is none", "echo no picture"],
    ["of a kind that no model takes", "printf '%%PDF-1.7'"],
  ])("takes no picture %s, whatever the program calls it", async (_, script) => {
    fakePrograms(bin, {
      "wl-paste": `case "$*" in *--list-types*) echo image/png;; *image/*) ${script};; *) printf words;; esac`,
    });
    expect(await read({ WAYLAND_DISPLAY: "w" })).toEqual({ kind: "text", text: "words" });
  });

  it("leaves out of a text what would press keys, or end the paste", async () => {
    fakeWayland(bin, { text: "a\\033[201~\\rb\\r\\nc\\t\\007\\033]52;c;eA==\\007d" });
    expect(await read({ WAYLAND_DISPLAY: "w" })).toEqual({ kind: "text", text: "a\nb\nc\td" });
  });

  it.each([
    [{}, "linux", /^There is no clipboard here: neither WAYLAND_DISPLAY nor DISPLAY is set/],
    [{ WAYLAND_DISPLAY: "w" }, "linux", /without wl-paste on the PATH\.$/],
    [{ DISPLAY: ":0" }, "linux", /without xclip or xsel on the PATH\.$/],
    [{}, "darwin", /without pbpaste and osascript on the PATH\.$/],
    [{ WSL_INTEROP: "x" }, "linux", /without powershell\.exe on the PATH\.$/],
  ] as const)("says in one line what is missing: %o on %s", async (env, platform, why) => {
    expect(await read(env, platform)).toEqual({ kind: "nothing", why: expect.stringMatching(why) });
  });

  it("types no text that is too long for a line", async () => {
    fakePrograms(bin, { xsel: "head -c 300000 /dev/zero | tr '\\0' x" });
    const env = { DISPLAY: ":0", PATH: `${bin}:/usr/bin:/bin` };
    expect(await read(env)).toMatchObject({ why: expect.stringMatching(/a text of 300,000 characters: save it/) });
  });

  it("says that the clipboard is empty", async () => {
    fakePrograms(bin, { "wl-paste": "exit 1" });
    expect(await read({ WAYLAND_DISPLAY: "w" })).toMatchObject({ why: expect.stringMatching(/holds neither/) });
  });

  it("never runs a program of the project, nor one whose folder is not absolute", async () => {
    const marker = join(folder, "ran");
    const inside = fakePrograms(join(folder, "root/bin"), { "wl-paste": `touch '${marker}'; printf words` });
    const path = `${inside}:.:bin:`;
    expect(await read({ WAYLAND_DISPLAY: "w", PATH: path })).toMatchObject({ kind: "nothing" });
    fakeWayland(bin, { text: "mine" });
    expect(await read({ WAYLAND_DISPLAY: "w", PATH: `${path}:${bin}` })).toEqual({ kind: "text", text: "mine" });
    expect(existsSync(marker)).toBe(false);
  });

  it("ends a program that gives too much, with what it has started", async () => {
    fakePrograms(bin, { "wl-paste": "yes too much" });
    await expect(read({ WAYLAND_DISPLAY: "w", PATH: `${bin}:${process.env.PATH}` })).rejects.toThrow(
      /wl-paste gave more than 20 MiB/,
    );
  });
});
