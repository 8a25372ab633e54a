import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished, vi } from "vitest";

/** The home folder of a test. */
export interface TestHome {
  readonly home: string;
  /** A project in it. */
  readonly project: string;
  /** What was written to stderr, which shows nothing of it. */
  readonly told: string[];
  /** Writes a file below the home: those of the person's configuration are in `.config/cogency`. */
  put(path: string, text: string): void;
}

/** Makes a home folder, which the environment names until the test has finished. */
export function testHome(): TestHome {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "cogency-home-")));
  const project = join(home, "project");
  for (const folder of [join(project, ".git"), join(home, ".config/cogency")])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  const told: string[] = [];
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => told.push(String(text)) > 0);
  vi.stubEnv("HOME", home);
  vi.stubEnv("XDG_CONFIG_HOME", join(home, ".config"));
  onTestFinished(() => {
    stderr.mockRestore();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  return { home, project, told, put };
}
