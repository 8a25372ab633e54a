import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2StreamPart,
  LanguageModelV3StreamPart,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { MockLanguageModelV3, MockLanguageModelV4 } from "ai/test";

/** A stream of these parts, which a reader pulls one by one. */
function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  const rest = parts.values();
  return new ReadableStream({
    pull(controller) {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}

/** What else a double is given. */
interface Rest {
  provider?: string;
  supportedUrls?: Record<string, RegExp[]>;
}

/** A model of specification v4 that gives these values as parts, whatever they are. */
export function v4(parts: readonly unknown[], rest: Rest = {}): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    ...rest,
    doStream: async () => ({ stream: streamOf(parts as readonly LanguageModelV4StreamPart[]) }),
  });
}

export function v3(parts: readonly unknown[]): MockLanguageModelV3 {
  return new MockLanguageModelV3({
    doStream: async () => ({ stream: streamOf(parts as readonly LanguageModelV3StreamPart[]) }),
  });
}

/** `ai/test` has no double of specification v2 any more. */
export class MockLanguageModelV2 implements LanguageModelV2 {
  readonly specificationVersion = "v2";
  readonly provider = "mock-provider";
  readonly modelId = "mock-model-id";
  readonly supportedUrls = {};
  readonly doStreamCalls: LanguageModelV2CallOptions[] = [];
  readonly #parts: readonly LanguageModelV2StreamPart[];

  constructor(parts: readonly LanguageModelV2StreamPart[]) {
    this.#parts = parts;
  }

  async doStream(options: LanguageModelV2CallOptions) {
    this.doStreamCalls.push(options);
    return { stream: streamOf(this.#parts) };
  }

  async doGenerate(): Promise<never> {
    throw new Error("Only streams are asked for.");
  }
}
