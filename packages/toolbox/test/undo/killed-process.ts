import { join } from "node:path";
import { passPoints } from "./points.ts";
import { openCopies, takeBack, work } from "./task.ts";

// Arguments: the folder of the task, what to do, and the number of the point at which the process kills itself.
const [, , base = "", what = "", point = ""] = process.argv;
const undo = openCopies(base);
await passPoints(Number(point), async () => {
  process.kill(process.pid, "SIGKILL");
  return new Promise<never>(() => {});
});
if (what === "work") await work(join(base, "root"), undo);
else await takeBack(undo);
