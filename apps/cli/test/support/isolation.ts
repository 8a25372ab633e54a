import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRoot } from "@cogency/toolbox";
import { shellIsolation } from "@cogency/toolbox/shell";

/** Whether commands can be isolated on this machine, tried in a folder of its own. */
export async function isolation(): ReturnType<typeof shellIsolation> {
  const folder = await mkdtemp(join(tmpdir(), "cogency-isolation-"));
  try {
    return await shellIsolation(await openRoot(folder));
  } finally {
    await rm(folder, { recursive: true });
  }
}
