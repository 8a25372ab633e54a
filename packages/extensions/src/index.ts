export { defineExtension } from "./define-extension.ts";
export type {
  Extension,
  ExtensionCommand,
  ExtensionExport,
  ExtensionFactory,
  ExtensionHost,
  ExtensionParts,
} from "./extension.ts";
export { type OpenExtensionOptions, type OpenedExtension, openExtension } from "./open-extension.ts";
export type { StandardSchema } from "./options-schema.ts";
export type { ExtensionProblem, ExtensionProblemCode } from "./problem.ts";
