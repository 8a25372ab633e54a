import { writeFileSync } from "node:fs";
import type { Figures } from "../figures/figures.ts";
import { svg } from "./svg.ts";

/** Keeps the figures, and draws the picture that the README at the top shows. */
export function writePicture(figures: Figures): void {
  writeFileSync(new URL("../../figures.json", import.meta.url), `${JSON.stringify(figures, null, 2)}\n`);
  writeFileSync(new URL("../../peers.svg", import.meta.url), svg(figures));
}
