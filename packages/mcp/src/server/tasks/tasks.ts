import { startTimer, type Timer } from "@cogency/async";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Task } from "./task.ts";

/** Whose task it is. */
export interface TaskOwner {
  /** The session, the connection, or the user where there is neither: for anybody else the task does not exist. */
  readonly of: string;
  /** Whose tasks are counted together. */
  readonly user: string;
}

/** The tasks of a server, in this process. */
export interface Tasks {
  /** A task, or why there is no room for one. */
  create(owner: TaskOwner, ttl: number | undefined): Task | { readonly problem: string };
  /** Forgets a task whose call did not begin. */
  drop(task: Task): void;
  /** @throws ProtocolError for a task that does not exist, or is not one of these */
  find(of: string, id: unknown): Task;
  /**
   * Some tasks, in the order of their creation.
   *
   * @throws ProtocolError for a cursor that is none
   */
  page(of: string, cursor: unknown): { readonly tasks: readonly Task[]; readonly nextCursor?: string };
  /** Whether any are kept, and whether any are at work. */
  has(of: string): { readonly any: boolean; readonly atWork: boolean };
  /** Gives up the tasks of a session or a connection that has ended. */
  end(of: string): void;
  close(): void;
}

export interface TaskLimits {
  /** Tasks in all. */
  readonly tasks: number;
  readonly tasksPerUser: number;
  /** Milliseconds. */
  readonly taskTtl: number;
}

interface Kept {
  readonly task: Task;
  readonly owner: TaskOwner;
  /** Counts the tasks of its owner. */
  readonly number: number;
  readonly timer: Timer;
}

/** Tasks in one answer of `tasks/list`. */
const pageSize = 50;

export function createTasks({ tasks: most, tasksPerUser, taskTtl }: TaskLimits): Tasks {
  const kept = new Map<string, Kept>();
  const numbers = new Map<string, number>();

  const ofOwner = (of: string) => [...kept.values()].filter(({ owner }) => owner.of === of);

  function forget({ task, timer, owner }: Kept): void {
    timer.stop();
    kept.delete(task.id);
    if (!has(owner.of).any) numbers.delete(owner.of);
  }

  function giveUp(one: Kept, why: string): void {
    forget(one);
    const { conversation } = one.task;
    const goOn =
      conversation === undefined
        ? ""
        : ` Call the tool with the conversation ${JSON.stringify(conversation)} to go on.`;
    one.task.giveUp({ code: ProtocolErrorCode.InternalError, message: why + goOn });
  }

  /** Makes room for a task of this user: one that nobody needs any more gives way. */
  function problem({ user }: TaskOwner): string | undefined {
    const own = [...kept.values()].filter(({ owner }) => owner.user === user);
    const isFull = own.length >= tasksPerUser;
    if (!isFull && kept.size < most) return undefined;
    const done = own.find(({ task }) => task.status === "cancelled" || task.isRead);
    if (done) return void forget(done);
    return isFull
      ? `${own.length} tasks are kept already. Wait until one has ended and read its result, or cancel one.`
      : "The server has no room for another task.";
  }

  function has(of: string) {
    const own = ofOwner(of);
    return { any: own.length > 0, atWork: own.some(({ task }) => task.outcome === undefined) };
  }

  return {
    create(owner, wanted = taskTtl) {
      const why = problem(owner);
      if (why !== undefined) return { problem: why };
      const task = new Task(Math.min(Math.ceil(wanted), taskTtl));
      const number = (numbers.get(owner.of) ?? 0) + 1;
      numbers.set(owner.of, number);
      const timer = startTimer(task.ttl, () => giveUp(one, "The time of the task is over."));
      const one: Kept = { task, owner, number, timer };
      kept.set(task.id, one);
      return task;
    },
    drop({ id }) {
      const one = kept.get(id);
      if (one) forget(one);
    },
    find(of, id) {
      const one = typeof id === "string" ? kept.get(id) : undefined;
      if (one?.owner.of === of) return one.task;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such task.");
    },
    page(of, cursor) {
      const after = cursor === undefined ? 0 : Number(cursor);
      const own = ofOwner(of).filter(({ number }) => number > after);
      if (typeof cursor !== "string" && cursor !== undefined) throw invalidCursor();
      if (!Number.isSafeInteger(after) || after < 0 || after > (numbers.get(of) ?? 0)) throw invalidCursor();
      const page = own.slice(0, pageSize);
      const last = page.at(-1);
      return {
        tasks: page.map(({ task }) => task),
        ...(own.length > page.length && last && { nextCursor: String(last.number) }),
      };
    },
    has,
    end(of) {
      for (const one of ofOwner(of)) giveUp(one, "The session of the task has ended.");
    },
    close() {
      for (const one of [...kept.values()]) giveUp(one, "The server is closed.");
    },
  };
}

function invalidCursor(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor. Begin without one.");
}
