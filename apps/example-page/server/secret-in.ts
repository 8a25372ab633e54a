import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";

/** The secret that signs answers: made at the first start, and kept where no tool can read it. */
export async function secretIn(file: string): Promise<string> {
  const secret = randomBytes(32).toString("hex");
  await writeFile(file, secret, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return readFile(file, "utf8");
}
