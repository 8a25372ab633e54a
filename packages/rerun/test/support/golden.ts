import { logOf } from "@tooling/conversations";
import { recordScene } from "@tooling/conversations/record-scene";
import { scenes } from "@tooling/conversations/scenes";
import { type WrittenTest, writeTest } from "../../src/index.ts";

/** The scenes whose tests stand in `test/golden`, as they were written. `node test/support/write-golden.ts` writes them anew. */
export const goldenNames = ["native-driver", "approval-denied", "tool-asks-a-person"];

/** The test of a scene, which is played for it. */
export async function goldenTest(name: string): Promise<WrittenTest> {
  const scene = scenes.find((one) => one.name === name);
  if (!scene) throw new Error(`There is no scene ${name}.`);
  const log = logOf(await recordScene(scene, { recordRequests: true }));
  return writeTest(log, { dataFile: `${name}.recorded.json` });
}
