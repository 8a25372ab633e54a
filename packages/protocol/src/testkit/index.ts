export type { ConformanceCase, ParseChunks } from "./parser-conformance.ts";
export { ConformanceError, chunkings, parserConformance } from "./parser-conformance.ts";
export type { MessageVector, ParserVector, VectorEvent, WithoutTimestamp } from "./vectors.ts";
export { messageVectors, parserVectors, vectorsVersion } from "./vectors.ts";
