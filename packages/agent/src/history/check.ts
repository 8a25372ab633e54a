import { nearestNames } from "@cogency/tools";

/** @throws TypeError for options that are no object, and for an unknown one */
export function checkNames(maker: string, options: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new TypeError(`${maker} takes an object of options.`);
  }
  const names = Object.keys(known);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, names);
  const guess = nearest === undefined ? "" : `did you mean \`${nearest}\`? `;
  throw new TypeError(`\`${unknown}\` is not an option of ${maker}: ${guess}its options are ${names.join(", ")}.`);
}

/** @throws RangeError */
export function checkNumber(maker: string, name: string, value: unknown, least: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least) return;
  throw new RangeError(`${maker}: \`${name}\` is ${value}; give a whole number of at least ${least}.`);
}
