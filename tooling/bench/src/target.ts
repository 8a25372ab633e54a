/** A goal and its measured value. */
export interface Target {
  what: string;
  value: number;
  unit: "%" | "×" | "ms";
  least?: number;
  most?: number;
}

export function targetLine({ what, value, unit, least, most }: Target): string {
  const asked = [
    ...(least === undefined ? [] : [`at least ${least}${spaced(unit)}`]),
    ...(most === undefined ? [] : [`at most ${most}${spaced(unit)}`]),
  ].join(", ");
  const isMet = value >= (least ?? Number.NEGATIVE_INFINITY) && value <= (most ?? Number.POSITIVE_INFINITY);
  return `${isMet ? "met    " : "NOT MET"}  ${what}: ${value.toPrecision(3)}${spaced(unit)} (${asked})`;
}

function spaced(unit: Target["unit"]): string {
  return unit === "×" ? unit : ` ${unit}`;
}
