import { writeFileSync } from "node:fs";
import type { Figures } from "../figures/figures.ts";
import { svg } from "./svg.ts";

/** Draws the picture that the README at the top shows. Of the reasons for missing figures, it keeps the first line. */
export function writePicture(figures: Figures): void {
  const brief = JSON.parse(JSON.stringify(figures), (key, value) =>
    key === "failed" && typeof value === "string" ? value.split("\n")[0] : value,
  ) as Figures;
  writeFileSync(new URL("../../peers.svg", import.meta.url), svg(brief));
}
