import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { filterProblems, problemKindInfo } from "@arethetypeswrong/core/problems";
import type { ResolutionKind } from "@arethetypeswrong/core/types";

/**
 * The ways in which a user's compiler may find what a package exports. Not `node10`, that of Node before 12.7: it does
 * not read `exports` and so finds no `./testkit`, TypeScript 6 has deprecated it, and every Node that the packages
 * admit reads `exports`.
 */
export const promisedResolutions: readonly ResolutionKind[] = ["node16-cjs", "node16-esm", "bundler"];

/** Where, in a tarball, the types found for an entry are not those of the code found for it; one line each. */
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
