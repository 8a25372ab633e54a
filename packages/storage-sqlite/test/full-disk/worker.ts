import { limitedDisk, smallDisk } from "./disk.ts";
import { scenarios } from "./scenarios.ts";

// Arguments: "mounted" or "limited", a folder, the name of a scenario. Ends with 0 if its guarantees hold.
const [way = "", folder = "", name = ""] = process.argv.slice(2);
const scenario = Object.entries(scenarios).find(([one]) => one === name)?.[1];
if (!scenario) throw new Error(`There is no scenario ${name}.`);
await scenario(way === "mounted" ? smallDisk(folder) : limitedDisk(folder));
