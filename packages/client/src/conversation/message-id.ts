/** A random id. It needs to be unique in one conversation, so it may be a weak one where the platform has no better. */
export function messageId(): string {
  // Pages without https and React Native have no randomUUID.
  const { randomUUID } = (globalThis.crypto ?? {}) as { randomUUID?: () => string };
  if (randomUUID) return globalThis.crypto.randomUUID();
  const random = () => Math.random().toString(36).slice(2);
  return `${Date.now().toString(36)}-${random()}${random()}`;
}
