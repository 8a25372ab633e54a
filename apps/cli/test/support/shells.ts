import { existsSync } from "node:fs";

/** Whether the shells are installed whose completion is tested. */
export const hasZsh = existsSync("/usr/bin/zsh");
export const hasFish = existsSync("/usr/bin/fish");
