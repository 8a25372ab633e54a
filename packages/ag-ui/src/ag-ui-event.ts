import type { Event } from "@ag-ui/core";

/**
 * An event of AG-UI 1.0 as it stands in JSON. `@ag-ui/core` types the field `type` by an enum, which only a program that loads that package
 * can write; this is the same union with its texts.
 */
export type AgUiEvent = Named<Event>;

type Named<E> = E extends { type: infer T extends string } ? Omit<E, "type"> & { type: `${T}` } : never;
