import { mkdir, rm, writeFile } from "node:fs/promises";
import { recordScene } from "./recording/record-scene.ts";
import { scenes } from "./scenes/index.ts";

// Records all conversations, or those that the arguments name, into `recorded/`.
const folder = new URL("../recorded/", import.meta.url);
const wanted = process.argv.slice(2);
const chosen = wanted.length > 0 ? scenes.filter(({ name }) => wanted.includes(name)) : scenes;
if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const scene of chosen) {
  const { name, about, items } = await recordScene(scene);
  const lines = items.map((item) => `    ${JSON.stringify(item)}`).join(",\n");
  const text = `{\n  "about": ${JSON.stringify(about)},\n  "items": [\n${lines}\n  ]\n}\n`;
  await writeFile(new URL(`${name}.json`, folder), text);
  console.log(`${name}: ${items.length} items`);
}
// A call of a scene whose process is taken as dead never ends.
process.exit(0);
