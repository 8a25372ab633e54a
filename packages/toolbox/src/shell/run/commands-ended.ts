/**
 * Waits until everything that commands of this process needed beside them is taken away again. A call may be over before:
 * one that is cancelled does not wait for a command that hears no signal. To be called before `process.exit`.
 */
export async function commandsEnded(): Promise<void> {
  while (running.size > 0) await Promise.allSettled(running);
}

const running = new Set<Promise<unknown>>();

/** Keeps `commandsEnded` waiting for a command. */
export function untilEnded<T>(command: Promise<T>): Promise<T> {
  running.add(command);
  const over = () => void running.delete(command);
  command.then(over, over);
  return command;
}
