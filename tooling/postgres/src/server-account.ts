import { execFileSync } from "node:child_process";

/** Under whom the server runs: PostgreSQL refuses root, which then needs the account `postgres`. Empty for ourselves. */
export function serverAccount(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: "-u" | "-g") => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}
