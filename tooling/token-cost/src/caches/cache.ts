import type { Section } from "../servers/asked.ts";

/** Tokens of one request: those that the server has read from its cache and written to it, and all. */
export interface Reading {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
}

/** The prompt cache of a server: it remembers what earlier requests held. */
export interface Cache {
  read(sections: readonly Section[]): Reading;
}
