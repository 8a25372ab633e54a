import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { filterProblems, problemKindInfo } from "@arethetypeswrong/core/problems";
import type { ResolutionKind } from "@arethetypeswrong/core/types";

/**
 * The supported ways in which a compiler resolves a package. `node10`, that of Node before 12.7, is not supported: it
 * ignores `exports` and so finds no `./testkit`. TypeScript 6 has deprecated it, and every Node in `engines` reads
 * `exports`.
 */
export const promisedResolutions: readonly ResolutionKind[] = ["node16-cjs", "node16-esm", "bundler"];

/** Finds the entries of a tarball whose types do not belong to their code. Returns one line each. */
export async function resolutionProblems(tarball: Uint8Array): Promise<string[]> {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (!analysis.types) return ["has no types"];
  const entrypoints = Object.keys(analysis.entrypoints).filter((entrypoint) => entrypoint !== "./package.json");
  if (entrypoints.length === 0) return ["has no entry"];
  return entrypoints.flatMap((entrypoint) =>
    promisedResolutions.flatMap((resolutionKind) =>
      filterProblems(analysis, { entrypoint, resolutionKind }).map(
        ({ kind }) => `"${entrypoint}", resolved as ${resolutionKind}: ${problemKindInfo[kind].title} (${kind})`,
      ),
    ),
  );
}
