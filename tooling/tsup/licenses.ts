import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { standardLicenses } from "./standard-licenses.ts";

/** What a package.json says about the package. */
interface Manifest {
  name?: string;
  version?: string;
  license?: string;
  author?: string | { name: string };
}

/**
 * The licenses of everything that others wrote, as one text.
 *
 * @param holder the name of the bundle's package
 * @param inputs the absolute paths of the files in the bundle
 * @throws Error for a package without a license
 */
export function licensesOf(holder: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.filter((path) => path.includes("/node_modules/")).map(packageFolder));
  const sections = [...folders].map(sectionOf).toSorted((one, other) => one.localeCompare(other, "en"));
  return `${holder} contains these packages of others.\n\n${sections.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The folder of the package that a file belongs to: the nearest whose package.json has a name and a version. */
function packageFolder(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const { name, version } = manifestIn(folder);
    if (name && version) return folder;
  }
  throw new Error(`${file} belongs to no package.`);
}

/** The name of a package, and its license. */
function sectionOf(folder: string): string {
  const manifest = manifestIn(folder);
  return [`${manifest.name} ${manifest.version} (${manifest.license})`, ...textsOf(folder, manifest)].join("\n\n");
}

function textsOf(folder: string, { name, license = "", author }: Manifest): string[] {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (files.length > 0) {
    return files.toSorted().map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim());
  }
  const standard = standardLicenses[license];
  const holder = typeof author === "object" ? author.name : author;
  if (standard && holder) return [standard(holder)];
  throw new Error(`${name} has no license that is known: it cannot be part of the bundle.`);
}

function manifestIn(folder: string): Manifest {
  const file = join(folder, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Manifest) : {};
}
