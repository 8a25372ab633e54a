import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { guide, guideFiles } from "./support/guide.ts";

it("the files of the guide are a package that its tsconfig.json builds", async () => {
  const folder = new URL(".readme/package/", import.meta.url);
  mkdirSync(new URL("src/", folder), { recursive: true });
  mkdirSync(new URL("node_modules/@cogency/", folder), { recursive: true });
  try {
    // As it is installed: the built package.
    const own = fileURLToPath(new URL("..", import.meta.url));
    symlinkSync(own, new URL("node_modules/@cogency/provider", folder), "junction");
    const [manifest = "", config = ""] = [...readFileSync(guide, "utf8").matchAll(/^```json\n(.*?)^```$/gms)].map(
      ([, text = ""]) => text,
    );
    writeFileSync(new URL("package.json", folder), manifest);
    writeFileSync(new URL("tsconfig.json", folder), config);
    for (const [name, code] of guideFiles()) writeFileSync(new URL(`src/${name}.ts`, folder), code);

    const compiler = createRequire(import.meta.url).resolve("typescript/lib/tsc.js");
    const { status, stdout } = spawnSync(process.execPath, [compiler], {
      cwd: fileURLToPath(folder),
      encoding: "utf8",
    });
    expect(stdout).toBe("");
    expect(status).toBe(0);

    const { exports } = JSON.parse(manifest) as { exports: Record<"types" | "default", string> };
    expect(readFileSync(new URL(exports.types, folder), "utf8")).toContain("export default function parrot");
    const { default: parrot } = (await import(new URL(exports.default, folder).href)) as { default: unknown };
    expect(parrot).toBeTypeOf("function");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
