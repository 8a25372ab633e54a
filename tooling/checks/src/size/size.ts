import { printOutcomes } from "../outcome.ts";
import { measure, measuredBundles } from "./bundle-size.ts";

// `pnpm size`: bundles what users would bundle and holds it against the table of packages.
printOutcomes(await Promise.all(measuredBundles().map((bundle) => measure(bundle))));
