import { mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { randomOf } from "../support/random.ts";
import { checkDamaged } from "./check-damaged.ts";
import { damage } from "./damage.ts";
import { soundStore } from "./sound-store.ts";

// Arguments: a folder, a seed, how many stores to damage. Prints each damage before it checks the store, so that its
// parent knows where it hung or crashed. Ends with 1 at the first violation.
const [folder = "", seed = "0", count = "0"] = process.argv.slice(2);
let failures = 0;
for (const isKilled of [false, true]) {
  const place = join(folder, isKilled ? "killed" : "closed");
  mkdirSync(place, { recursive: true });
  const sound = await soundStore(place, isKilled);
  for (let index = 0; index < Number(count) / 2; index++) {
    const random = randomOf(Number(seed) * 100_003 + index);
    const path = join(place, `damaged-${index}.db`);
    writeFileSync(path, sound.database);
    if (sound.wal) writeFileSync(`${path}-wal`, sound.wal);
    const isInWal = sound.wal !== undefined && random.next() < 0.7;
    const file = isInWal ? `${path}-wal` : path;
    const { bytes, what } = damage(readFileSync(file), random);
    writeFileSync(file, bytes);
    writeSync(
      1,
      `seed ${seed}, ${isKilled ? "killed" : "closed"} store ${index}, ${isInWal ? "WAL" : "database"}: ${what}\n`,
    );
    failures += Number(await checkDamaged(path, sound));
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  }
}
writeSync(1, `${failures} with an error\n`);
