import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { bundlePage } from "./bundle-page.ts";
import { licensesOf } from "./licenses.ts";

// Builds the published command: everything that it needs, from the workspace and from others, in one folder.
const app = join(import.meta.dirname, "..");
const [command, page] = await Promise.all([bundle(app), bundlePage(app)]);
const dist = join(app, "dist");
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
for (const [name, text] of Object.entries({ ...command.files, ...page.files })) writeFileSync(join(dist, name), text);
writeFileSync(join(dist, "third-party-licenses.txt"), licensesOf([...command.inputs, ...page.inputs]));
