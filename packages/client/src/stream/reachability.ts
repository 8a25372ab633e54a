/** What a platform tells of its network and of its screen. */
export interface Reachability {
  onOnline(): void;
  onOffline(): void;
  /** The page is seen again: timers and connections may have slept. */
  onVisible(): void;
}

interface Target {
  addEventListener?(name: string, listener: () => void): void;
  removeEventListener?(name: string, listener: () => void): void;
}

/** Listens to the platform, where it tells. Returns what ends that. */
export function listen({ onOnline, onOffline, onVisible }: Reachability): () => void {
  const document = (globalThis as { document?: Target & { visibilityState?: string } }).document;
  const self = (globalThis as { self?: Target }).self;
  const whenVisible = () => {
    if (document?.visibilityState === "visible") onVisible();
  };
  const all: [Target | undefined, string, () => void][] = [
    [self, "online", onOnline],
    [self, "offline", onOffline],
    [document, "visibilitychange", whenVisible],
  ];
  for (const [target, name, listener] of all) target?.addEventListener?.(name, listener);
  return () => {
    for (const [target, name, listener] of all) target?.removeEventListener?.(name, listener);
  };
}
