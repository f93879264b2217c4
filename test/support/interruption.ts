/** Is aborted by Ctrl-C and similar signals, so that a program can stop everything that it has started. */
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
