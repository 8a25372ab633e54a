import { copyFileSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { licensesOf } from "@tooling/tsup/licenses";
import { bundle } from "./bundle.ts";

// Builds the published command: everything that it needs, from the workspace and from others, in one folder.
const app = join(import.meta.dirname, "..");
const page = join(app, "../../packages/page");
const { files, inputs } = await bundle(app);
const dist = join(app, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, name), text);
for (const name of ["page.js", "page.css"]) copyFileSync(join(page, "dist", name), join(dist, name));
writeFileSync(join(dist, "third-party-licenses.txt"), licensesOf("cogency", [...inputs, ...ofPage()]));

/** A file of each package of others that the page holds. */
function ofPage(): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(page, "package.json"), "utf8"));
  const names = Object.keys(dependencies).filter((name) => !name.startsWith("@cogency/"));
  return names.map((name) => realpathSync(join(page, "node_modules", name, "package.json")));
}
