import type OpenAI from "openai";

export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming;
