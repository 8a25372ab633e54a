import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

// Puts a folder and a link to another one in each other's place, until it is ended. Between two rounds the folder stays for a while of at
// most `longestRest` milliseconds.
const { place, target, longestRest = 0 } = workerData;
const never = new Int32Array(new SharedArrayBuffer(4));
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
    if (longestRest > 0) Atomics.wait(never, 0, 0, Math.random() * longestRest);
  } catch {
    rmSync(link, { force: true });
    symlinkSync(target, link);
    mkdirSync(place, { recursive: true });
  }
}
