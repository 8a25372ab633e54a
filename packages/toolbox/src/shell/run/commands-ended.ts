/**
 * Resolves when all commands of this process have ended and their placeholders are removed. A call may return earlier: a
 * cancelled call does not wait for a command that ignores signals. Await it before `process.exit`.
 */
export async function commandsEnded(): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}

const running = new Set<Promise<unknown>>();

/** Makes `commandsEnded` wait for this command. */
export function trackCommand<T>(command: Promise<T>): Promise<T> {
  running.add(command);
  const over = () => void running.delete(command);
  command.then(over, over);
  return command;
}
