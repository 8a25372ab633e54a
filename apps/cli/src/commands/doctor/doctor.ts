import { join } from "node:path";
import { openRoot, shellIsolation } from "@cogency/toolbox";
import { configurationFolder } from "../../setup/configuration-folder.ts";
import { keyFileName, readKeys } from "../../setup/key-file.ts";
import { shownStore } from "../../setup/store/store-address.ts";
import { defaultStore } from "../../setup/store/store-path.ts";
import { put } from "../../terminal/output.ts";
import { visible } from "../../terminal/text.ts";

/** `cogency doctor`: prints what runs need on this machine, and how to get what is missing. Changes nothing. */
export async function doctor(): Promise<void> {
  const lines = [
    `isolation  ${await isolationHere()}`,
    `key        ${await keyHere()}`,
    `store      ${visible(shownStore(defaultStore()))}`,
  ];
  await put(`${lines.join("\n")}\n`);
}

async function isolationHere(): Promise<string> {
  const root = await openRoot(".", { access: "project" }).catch((error: Error) => error);
  if (root instanceof Error) return `unknown: ${visible(root.message)}`;
  const { isolated, problem, advice } = await shellIsolation(root);
  if (isolated) return "works: programs that shell runs are isolated";
  return `does not work, so that programs that shell runs have your rights: ${problem}. ${advice}`;
}

async function keyHere(): Promise<string> {
  const folder = configurationFolder();
  const file = visible(join(folder, keyFileName));
  try {
    const keys = await readKeys(folder);
    return keys
      ? `${file}, ${keys.length === 1 ? "1 key" : `${keys.length} keys`}`
      : `${file} is made by the first run`;
  } catch (error) {
    return visible((error as Error).message);
  }
}
