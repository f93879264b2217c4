/** Ctrl-C and its like, for a program that leaves nothing behind of what it has started. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      controller.abort(new Error(`ended by ${signal}`));
    });
  return controller.signal;
}

/** @throws the signal's reason if it comes first: the caller that started the work cleans up after it. */
export async function unlessAborted<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  return Promise.race([work(), aborted]);
}
