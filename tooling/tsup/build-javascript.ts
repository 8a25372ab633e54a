import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { build, type Options } from "tsup";

// Builds what the demo and the tests start, of all packages in one process: JavaScript without declarations. `pnpm build` builds everything.
process.env.COGENCY_BUILD = "javascript";

const root = join(import.meta.dirname, "../..");
const configs = (top: string) => globSync(`${top}/*/tsup.config.ts`, { cwd: root });
// Apps hold what packages are built to.
for (const file of [...configs("packages"), ...configs("apps")]) {
  const absWorkingDir = join(root, dirname(file));
  const { default: options } = (await import(join(root, file))) as { default: Options };
  // tsup resolves its options against the current folder, esbuild against that of its first build.
  process.chdir(absWorkingDir);
  const { esbuildOptions } = options;
  await build({
    ...options,
    config: false,
    esbuildOptions(own, context) {
      own.absWorkingDir = absWorkingDir;
      esbuildOptions?.(own, context);
    },
  });
}
await import(join(root, "apps/cli/build/build.ts"));
