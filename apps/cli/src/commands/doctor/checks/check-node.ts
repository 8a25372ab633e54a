import { engines } from "../../../../package.json";
import { type Finding, fault, ok } from "../finding.ts";

/** Whether this Node can run the app, the chat included. */
export function checkNode(version: string = process.versions.node): Finding {
  const least = engines.node.replace(/^>=/, "");
  if (isAtLeast(version, least)) return ok("node", version);
  return fault("node", `${version} is too old`, `Install Node ${least} or newer.`);
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor = 0, leastMinor = 0] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}
