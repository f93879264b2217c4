import type { FastifyInstance } from 'fastify';

/** @param signal aborts where the API closes: nothing new is begun then. It never rejects. */
export type Work = (signal: AbortSignal) => Promise<void>;

/**
 * What the API does of itself: when it comes up and every so many real ms, one run at a time. A run that takes longer
 * lets the next ones pass; closing waits for it.
 */
export function workRepeatedly(app: FastifyInstance, everyMs: number, work: Work): void {
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= work(closing.signal).finally(() => {
      running = null;
    });
  };
  let timer: NodeJS.Timeout | undefined;
  app.addHook('onReady', async () => {
    run();
    timer = setInterval(run, everyMs).unref();
  });
  app.addHook('onClose', async () => {
    clearInterval(timer);
    closing.abort();
    await running;
  });
}
