import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tellOnce } from "./told-once.ts";

/** What is said to a person whose configuration is in a new folder. */
function installation() {
  const folder = mkdtempSync(join(tmpdir(), "told-"));
  const said: string[] = [];
  const written = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  vi.stubEnv("XDG_CONFIG_HOME", folder);
  onTestFinished(() => {
    written.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, said };
}

describe("a remark about this machine", () => {
  it("is said once per installation, and another one too", () => {
    const { said } = installation();
    for (const text of ["No bubblewrap.", "No bubblewrap.", "No prlimit.", "No bubblewrap."]) tellOnce(text);
    expect(said.map((text) => text.split(" This")[0])).toEqual([
      expect.stringContaining("No bubblewrap."),
      expect.stringContaining("No prlimit."),
    ]);
    expect(said[0]).toContain("cogency doctor says it again.");
  });

  it("is said each time where nothing can be kept", () => {
    const { folder, said } = installation();
    // A file stands in the place of the folder.
    writeFileSync(join(folder, "cogency"), "");
    for (const text of ["No bubblewrap.", "No bubblewrap."]) tellOnce(text);
    expect(said).toHaveLength(2);
  });
});
