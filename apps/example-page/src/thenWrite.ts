/** Does something, and leads back to the composer: what had the focus may go away. */
export function thenWrite(act: () => unknown): () => void {
  return () => {
    act();
    focusComposer();
  };
}

export function focusComposer(): void {
  document.getElementById("words")?.focus();
}
