/** An AbortController that is made when somebody asks for its signal; few tools do, and making one is dear. */
export function lazyAbortController(): Pick<AbortController, "signal" | "abort"> {
  let controller: AbortController | undefined;
  let abortion: { reason: unknown } | undefined;
  return {
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (abortion) controller.abort(abortion.reason);
      }
      return controller.signal;
    },
    abort(reason) {
      abortion ??= { reason };
      controller?.abort(reason);
    },
  };
}
