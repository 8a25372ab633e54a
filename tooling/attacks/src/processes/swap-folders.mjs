import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

// Puts a folder and a link to another one in each other's place, until it is ended.
const { place, target } = workerData;
const link = `${place}.link`;
const spare = `${place}.spare`;
symlinkSync(target, link);
for (let round = 0; ; round++) {
  if (round === 10) parentPort.postMessage("swapping");
  try {
    renameSync(place, spare);
    renameSync(link, place);
    renameSync(place, link);
    renameSync(spare, place);
  } catch {
    rmSync(link, { force: true });
    symlinkSync(target, link);
    mkdirSync(place, { recursive: true });
  }
}
