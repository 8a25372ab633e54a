import { declareCases } from "@cogency/protocol/testkit";
import { allCases } from "./cases/all-cases.ts";

/** For a driver whose models call no tools. */
export const withoutCalls = declareCases(allCases, "calls", "its models call no tools");

/** For a driver whose models write one call in an answer. */
export const withoutBatches = declareCases(allCases, "batches", "its models write one call at a time");

/** For a driver whose models write either words for the user or calls. */
export const withoutTextBesideCalls = declareCases(
  allCases,
  "text_beside_calls",
  "its models write either words or calls",
);

/** For a driver whose models do not think apart from their text. */
export const withoutThinking = declareCases(allCases, "thinking", "its models do not think apart");

/** For a driver that gives calls only when they are whole. */
export const withoutDeltas = declareCases(allCases, "deltas", "it gives calls only when they are whole");

/** For a driver that does not store the provider's own blocks. */
export const withoutNative = declareCases(allCases, "native", "it stores no blocks of the provider");

/** For a driver that reads whatever a model writes. */
export const withoutRefusals = declareCases(allCases, "refusals", "it reads whatever a model writes");
