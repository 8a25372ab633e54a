import { readFileSync } from "node:fs";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { type Outcome, printOutcomes } from "../outcome.ts";
import { publishablePackages, type WorkspacePackage } from "../workspace.ts";
import { pack, withFolder } from "./pack.ts";

// `pnpm publint`: checks every published tarball. Warnings are errors.
await withFolder(async (folder) => {
  printOutcomes(await Promise.all(publishablePackages().map((owner) => lint(owner, folder))));
});

async function lint(owner: WorkspacePackage, folder: string): Promise<Outcome> {
  const bytes = readFileSync(pack(owner, folder));
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pkgDir: "package", pack: { tarball }, level: "warning", strict: true });
  const problems = messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
  return { item: owner.manifest.name, note: "", problems };
}
