import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { Config, Kept } from "./config.ts";
import { isSettingName, optionRow } from "./option-table.ts";
import { protectiveOf } from "./protection.ts";

/** One place that values come from. */
export interface Layer {
  readonly values: { readonly [name: string]: unknown };
  /** Where a value of it stands, for a person: `option --model`, `variable COGENCY_MODEL`, or a file. */
  origin(name: string): string;
  readonly isProfile?: true;
  readonly kept?: Kept | undefined;
}

/** A file that defines profiles; one of which only what protects is `kept` defines none. */
export type ProfilePlace = Pick<Config, "file" | "profiles" | "kept">;

export interface Resolved {
  readonly value: unknown;
  readonly origin: string;
}

/**
 * Merges places, the strongest first: each key has the value of the first place that holds it.
 *
 * - A profile stands right below the place that chooses it. Where a configuration is kept only for what protects, so does what protects
 *   of the profile that counted with it.
 * - A place that names a server replaces all that weaker places say about one, so that no key and no model goes to a server that it
 *   was not meant for.
 * - Of two values that exclude each other the one of the stronger place counts.
 *
 * @param places where profiles are defined; the first that has the name counts
 * @param excludes whether two keys exclude each other
 * @throws UsageError for an unknown profile, and for keys of one place that exclude each other
 */
export function merged(
  layers: readonly Layer[],
  places: readonly ProfilePlace[],
  excludes: (one: string, other: string) => boolean,
): ReadonlyMap<string, Resolved> {
  const found = new Map<string, Resolved>();
  let isServerNamed = false;
  for (const layer of withProfile(layers, places)) {
    const own = Object.entries(layer.values).filter(([, value]) => value !== undefined);
    const stronger = given([...found].map(([name, { value }]) => [name, value]));
    for (const [name, value] of own) {
      if (found.has(name) || (isServerNamed && isOfServer(name))) continue;
      if (value !== false && stronger.some((other) => excludes(name, other))) continue;
      const rival = value === false ? undefined : given(own).find((other) => other !== name && excludes(name, other));
      if (rival !== undefined)
        throw new UsageError(`${layer.origin(name)}: ${name} and ${rival} exclude each other. Leave one of them out.`);
      found.set(name, { value, origin: layer.origin(name) });
    }
    isServerNamed ||= namesServer(layer);
  }
  return found;
}

/** The names of values that say something: a switch that is off does not exclude others. */
function given(entries: readonly (readonly [name: string, value: unknown])[]): string[] {
  return entries.filter(([, value]) => value !== false).map(([name]) => name);
}

function isOfServer(name: string): boolean {
  return isSettingName(name) && optionRow(name).isOfServer === true;
}

/** The key of a profile belongs to its server, also where the profile leaves the server at its default. */
function namesServer({ values, isProfile }: Layer): boolean {
  return (
    values.provider !== undefined ||
    values.baseUrl !== undefined ||
    (isProfile && values.apiKeyEnv !== undefined) === true
  );
}

function withProfile(layers: readonly Layer[], places: readonly ProfilePlace[]): Layer[] {
  return layers.flatMap((layer, at) => {
    const isFirst = (isChooser: (layer: Layer) => boolean) => layers.findIndex(isChooser) === at;
    const chooses = ({ values }: Layer) => values.profile !== undefined;
    return [
      layer,
      ...(isFirst((one) => chooses(one) || one.kept?.profile !== undefined) ? protectiveProfile(layer, places) : []),
      ...(isFirst(chooses) ? [chosenProfile(layer, places)] : []),
    ];
  });
}

/** @throws UsageError for an unknown profile */
function chosenProfile({ values: { profile }, origin }: Layer, places: readonly ProfilePlace[]): Layer {
  const name = String(profile);
  const defining = places.filter(({ kept }) => !kept);
  const found = profileLayer(name, defining);
  if (!found) throw unknownProfile(name, origin("profile"), defining);
  return { ...found, isProfile: true };
}

/** Of a configuration that does not count, what protects of the profile that would be used with it. */
function protectiveProfile({ values, kept }: Layer, places: readonly ProfilePlace[]): Layer[] {
  const found = places.some((place) => place.kept) && profileLayer(String(values.profile ?? kept?.profile), places);
  return found ? [{ ...found, values: protectiveOf(found.values) }] : [];
}

function profileLayer(name: string, places: readonly ProfilePlace[]): Layer | undefined {
  const place = places.find(({ profiles }) => Object.hasOwn(profiles, name));
  const values = place?.profiles[name];
  return place && values && { values, origin: (key) => `profiles.${name}.${key} in ${place.file}` };
}

function unknownProfile(name: string, origin: string, places: readonly ProfilePlace[]): UsageError {
  const names = places.flatMap(({ profiles }) => Object.keys(profiles));
  const [nearest] = nearestNames(name, names);
  const advice =
    names.length === 0
      ? "No profile is defined: write one under profiles in a configuration file."
      : nearest === undefined
        ? `There are ${names.join(", ")}.`
        : `Did you mean ${nearest}?`;
  return new UsageError(oneLine(`There is no profile "${name}" (${origin}). ${advice}`, 600));
}
