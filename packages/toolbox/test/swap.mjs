// Swaps a folder for a link to another one and back, as fast as it can, until its parent disconnects. It sends a message after
// a hundred swaps. Arguments: the folder, and the target of the link.
import { renameSync, symlinkSync, unlinkSync } from "node:fs";

const [, , folder, target] = process.argv;
process.on("disconnect", () => process.exit());
swap(0);

function swap(count) {
  const aside = `${folder}-${count}`;
  if (attempt(() => renameSync(folder, aside))) {
    attempt(() => symlinkSync(target, folder));
    attempt(() => unlinkSync(folder));
    attempt(() => renameSync(aside, folder));
  }
  if (count === 100) process.send("swapping");
  setImmediate(swap, count + 1);
}

// A tool that creates missing folders may have put one into the gap. Then that one is swapped.
function attempt(step) {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
