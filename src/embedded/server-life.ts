import { setTimeout as pause } from 'node:timers/promises';
import { describeEnding, type SupervisedProcess } from './supervised-process';

/** How a running server is left. */
export interface ServerLife {
  /** Resolves, with the reason, should the server end without `stop`. */
  failed: Promise<string>;
  /** As often as one likes; resolves once nothing of the server is left and its folder is free. */
  stop: () => Promise<void>;
}

/** After a crash a server first puts its data in order. */
const START_PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * Tries `reach` until it succeeds once: then the server serves.
 * @throws where the server ends before, or does not serve in time; it is stopped then.
 */
export async function waitUntilServing(
  what: string,
  server: SupervisedProcess,
  reach: () => Promise<void>,
): Promise<void> {
  const trying = { on: true };
  const early = server.ended.then((ending) => {
    throw new Error(`${what} did not start: ${describeEnding(ending)}`);
  });
  try {
    await Promise.race([early, tryUntilReached(reach, trying)]);
  } catch (error) {
    await server.stop();
    throw error;
  } finally {
    trying.on = false;
  }
}

async function tryUntilReached(reach: () => Promise<void>, trying: { on: boolean }): Promise<void> {
  const patienceEnds = performance.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      await reach();
      return;
    } catch (error) {
      if (!trying.on || performance.now() > patienceEnds) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** @param release frees what the server held, once it has ended by `stop` */
export function serverLife(what: string, server: SupervisedProcess, release: () => Promise<void>): ServerLife {
  let stopping: Promise<void> | undefined;
  const failed = new Promise<string>((resolve) => {
    void server.ended.then((ending) => {
      if (stopping === undefined) resolve(`${what} ended by itself: ${describeEnding(ending)}`);
    });
  });
  return { failed, stop: () => (stopping ??= server.stop().then(release)) };
}
