import { writeFile } from "node:fs/promises";
import { goldenNames, goldenTest } from "./golden.ts";

const folder = new URL("../golden/", import.meta.url);
for (const name of goldenNames) {
  const { source, data = "" } = await goldenTest(name);
  await writeFile(new URL(`${name}.test.ts`, folder), source);
  await writeFile(new URL(`${name}.recorded.json`, folder), data);
}
