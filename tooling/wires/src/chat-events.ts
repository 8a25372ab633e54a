/** One chunk of a Chat Completions answer with this delta. */
export function deltaEvent(delta: object, finish: string | null = null): string {
  return dataEvent({ choices: [{ index: 0, delta, finish_reason: finish }] });
}

export function dataEvent(payload: object): string {
  return `data: ${JSON.stringify(payload)}\n\n`;
}

export const doneEvent = "data: [DONE]\n\n";
