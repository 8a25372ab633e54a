import { descriptorScripts } from "./descriptor.ts";
import { environmentScripts } from "./environment.ts";
import { networkScripts } from "./network.ts";
import { readingScripts } from "./reading.ts";
import type { Script } from "./script.ts";
import { signalScripts } from "./signal.ts";
import { stayingScripts } from "./staying.ts";
import { writingScripts } from "./writing.ts";

/** All scripts, in the order of the attacks. */
export const scripts: readonly Script[] = [
  ...readingScripts,
  ...environmentScripts,
  ...writingScripts,
  ...networkScripts,
  ...stayingScripts,
  ...signalScripts,
  ...descriptorScripts,
];
