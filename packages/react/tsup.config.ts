import { preset } from "@tooling/tsup";

// Frameworks that render on a server read the first line, and load the hooks in the browser as well. The later steps of the preset, which
// one entry does not need, would move or remove it.
export default { ...preset(), treeshake: false, splitting: false, banner: { js: '"use client";' } };
