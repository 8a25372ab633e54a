/** Reads the body of a response as text, one piece at a time; undefined at the end. */
export function readerOf(response: Response): { read(): Promise<string | undefined> } {
  const reader = response.body?.getReader();
  return {
    async read() {
      const piece = await reader?.read();
      return piece?.value && new TextDecoder().decode(piece.value);
    },
  };
}
