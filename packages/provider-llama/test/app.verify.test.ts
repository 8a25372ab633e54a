import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { describeLlama } from "./support/describe-llama.ts";
import { writeRandomModel } from "./support/random-model.ts";

const app = fileURLToPath(new URL("../../../apps/cli/", import.meta.url));
const library = realpathSync(fileURLToPath(new URL("../node_modules/node-llama-cpp", import.meta.url)));

/** As it is published: the app alone, without the modules of this repository beside it. */
function installed() {
  const folder = mkdtempSync(join(tmpdir(), "cogency-app-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const [installedAt, project] = [join(folder, "program"), join(folder, "project")];
  for (const name of ["bin", "dist", "package.json"])
    cpSync(join(app, name), join(installedAt, name), { recursive: true });
  mkdirSync(join(project, ".git"), { recursive: true });
  // Answers of a letter or two: the model tends to end them.
  writeRandomModel(join(project, "random.gguf"), { favours: { "</s>": 14 } });
  // The project brings a library of that name.
  const theirs = join(project, "node_modules/node-llama-cpp");
  mkdirSync(theirs, { recursive: true });
  writeFileSync(join(theirs, "package.json"), JSON.stringify({ name: "node-llama-cpp", exports: "./main.cjs" }));
  writeFileSync(join(theirs, "main.cjs"), 'process.stderr.write("THEIRS"); process.exit(99);');
  return {
    installLibrary() {
      const modules = join(folder, ".config/cogency/node_modules");
      mkdirSync(modules, { recursive: true });
      symlinkSync(library, join(modules, "node-llama-cpp"), "dir");
    },
    cogency(...args: readonly string[]) {
      const { PATH, SYSTEMROOT } = process.env;
      const env = { PATH, SYSTEMROOT, HOME: folder, USERPROFILE: folder };
      const program = [join(installedAt, "bin/cogency.cjs"), ...args];
      const {
        status: code,
        stdout,
        stderr,
      } = spawnSync(process.execPath, program, { cwd: project, env, encoding: "utf8" });
      return { code, stdout, stderr };
    },
  };
}

describeLlama("the published app with a model in a file", () => {
  let at: ReturnType<typeof installed>;
  beforeEach(() => {
    at = installed();
  });
  const llama = ["--provider", "llama", "--model", "./random.gguf"];

  it("runs it with the library of the person's own folder", () => {
    at.installLibrary();
    const { code, stdout, stderr } = at.cogency(
      "run",
      "Hello.",
      ...llama,
      "--tools",
      "read",
      "--system",
      "Be brief.",
      "--json",
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringContaining("THEIRS") });
    const events: { type: string; content: string }[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.find(({ type }) => type === "respond")?.content).toMatch(/\S/);
  });

  it("says what to type without the library, also if the project brings one", () => {
    const { code, stdout, stderr } = at.cogency("run", "Hello.", ...llama);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(
      /needs the library node-llama-cpp, which is not installed\. Type: npm install --prefix \S+cogency/,
    );
  });

  it("says in doctor whether the library loads, with which processor, and what the file is", () => {
    const without = at.cogency("doctor", ...llama);
    expect(without.stdout).toContain("Type: npm install --prefix");
    at.installLibrary();
    const { stdout, stderr } = at.cogency("doctor", ...llama);
    expect(stdout + stderr).not.toContain("THEIRS");
    expect(stdout).toMatch(/node-llama-cpp loads, and uses the (CPU|GPU)/);
    expect(stdout).toMatch(/random\.gguf: llama, a context of 16384 tokens, no chat template of its own, 1 MB/);
  });

  it("lists the models of a folder, without the library", () => {
    const { code, stdout } = at.cogency("models", ".");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/random\.gguf\s+llama, a context of 16384 tokens/),
    });
  });
});
