/** A signal that Ctrl-C and SIGTERM abort, so that a program can stop everything that it has started. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      controller.abort(new Error(`ended by ${signal}`));
    });
  return controller.signal;
}

/** Does the work. @throws the signal's reason if it is aborted first; the work then goes on, and the caller stops what it uses */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  return Promise.race([work(), aborted]);
}
