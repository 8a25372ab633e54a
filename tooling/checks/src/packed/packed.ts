import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Outcome, printOutcomes } from "../outcome.ts";
import { type Manifest, publishablePackages, workspaceRoot } from "../workspace.ts";
import { withFolder } from "./pack.ts";
import { appProblems } from "./packed-app.ts";
import { commandProblems } from "./packed-commands.ts";
import { entryProblems } from "./packed-entries.ts";
import { packAndInstall } from "./packed-install.ts";
import { linkProblems } from "./packed-links.ts";
import { manifestProblems } from "./packed-manifest.ts";
import { runtimeNames } from "./packed-runtime.ts";
import { sourceMapProblems } from "./packed-source-maps.ts";
import { tarballProblems } from "./packed-tarball.ts";
import { templateProblems } from "./packed-templates.ts";
import { typeProblems } from "./packed-types.ts";

// `pnpm packed`: packs every published package, installs the tarballs together and uses them as ES modules, as
// CommonJS, with TypeScript and as commands. Works offline: other people's packages come from the workspace's
// node_modules.
await withFolder(async (folder) => {
  const installation = packAndInstall(publishablePackages(), folder);
  const names = await runtimeNames(installation);
  const types = typeProblems(installation, names);
  const root = JSON.parse(readFileSync(join(workspaceRoot, "package.json"), "utf8")) as Manifest;
  const commands = [
    ...(await commandProblems(installation)),
    ...(await appProblems(installation)),
    ...(await templateProblems(installation)),
  ];

  printOutcomes(
    installation.packages.map((installed): Outcome => {
      const own = names.filter(({ entry }) => entry.owner === installed);
      return {
        item: installed.manifest.name,
        note: own.map(({ entry, esm }) => `${entry.subpath} (${esm.length} exports)`).join(", "),
        problems: [
          ...tarballProblems(installed, installation),
          ...manifestProblems(installed, root),
          ...linkProblems(installed, workspaceRoot),
          ...sourceMapProblems(installed),
          ...entryProblems(installed),
          ...own.flatMap(({ problems }) => problems),
          ...[...types, ...commands].filter(({ owner }) => owner === installed).map(({ problem }) => problem),
        ],
      };
    }),
  );
});
