import { chmodSync, chownSync, lchownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { distrustOf } from "./trusted-file.ts";

function place() {
  const folder = mkdtempSync(join(tmpdir(), "cogency-trust-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "package"), { mode: 0o755 });
  const file = join(folder, "package", "index.js");
  writeFileSync(file, "");
  symlinkSync(join(folder, "package"), join(folder, "link"));
  return { folder, file, through: join(folder, "link", "index.js") };
}

describe.skipIf(process.getuid === undefined)("a file to run in this process", () => {
  it("is trusted if no other user can change it, also through a link and below /tmp", async () => {
    const { file, through } = place();
    expect(distrustOf(file)).toBeUndefined();
    expect(distrustOf(through)).toBeUndefined();
  });

  it.each(["package/index.js", "package", "."])("is not trusted if every user may write to %s", async (name) => {
    const { folder, file, through } = place();
    chmodSync(join(folder, name), 0o777);
    for (const path of [file, through]) expect(distrustOf(path)).toMatch(/^every user may write to /);
  });

  // Only root can give a file away.
  if (process.getuid?.() === 0 && process.platform === "linux")
    describe("if a group may write", () => {
      it.each(["package/index.js", "package", "."])(
        "is not trusted if the group of %s may have other members",
        async (name) => {
          const { folder, file, through } = place();
          chmodSync(join(folder, name), 0o775);
          // The group 100, mostly called `users`, has no member or several.
          for (const group of [54_321, 100]) {
            chownSync(join(folder, name), 0, group);
            for (const path of [file, through])
              expect(distrustOf(path)).toMatch(/^others of its group \(\d+\) may write/);
          }
        },
      );

      it("is trusted if the group is that of root, or the folder is sticky like /tmp", async () => {
        const { folder, file } = place();
        chownSync(file, 0, 0);
        chmodSync(file, 0o664);
        chownSync(folder, 0, 54_321);
        chmodSync(folder, 0o1775);
        expect(distrustOf(file)).toBeUndefined();
      });
    });

  it("is trusted in a sticky folder, where only the owner of an entry can replace it", async () => {
    const { folder, file } = place();
    chmodSync(folder, 0o1777);
    expect(distrustOf(file)).toBeUndefined();
  });

  if (process.getuid?.() === 0)
    it.each(["package/index.js", "package", "link"])("is not trusted if %s belongs to another user", async (name) => {
      const { folder, through } = place();
      if (name === "link") lchownSync(join(folder, name), 12_345, 12_345);
      else chownSync(join(folder, name), 12_345, 12_345);
      expect(distrustOf(through)).toMatch(/belongs to another user \(12345\)$/);
    });
});
