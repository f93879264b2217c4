import { setTimeout as pause } from 'node:timers/promises';
import { describeEnding, type Ending, type SupervisedProcess } from './supervised-process';

/** How a running server is left. */
export interface ServerLife {
  /** Resolves, with the reason, should the server end without `stop`. */
  failed: Promise<string>;
  /** As often as one likes; resolves once nothing of the server is left and its folder is free. */
  stop: () => Promise<void>;
}

/** How each thing is stopped that was started so far. */
export type Stops = (() => Promise<unknown>)[];

/**
 * Stops one thing after the other, also where one cannot be stopped: in the next ones work may be under way.
 * @throws the first fault, once all have been stopped
 */
export async function stopEach(stops: Readonly<Stops>): Promise<void> {
  const stopped: Promise<unknown>[] = [];
  for (const stop of stops) {
    stopped.push(stop());
    await Promise.allSettled(stopped);
  }
  await Promise.all(stopped);
}

/**
 * Starts several things, or none: what was started before a fault is stopped again.
 * @param start adds a stop for each thing as soon as it is started
 * @returns what `start` does, and how all of it is stopped, the last one first
 */
export async function startAll<Parts>(
  start: (stops: Stops) => Promise<Parts>,
): Promise<Parts & { stop(): Promise<void> }> {
  const stops: Stops = [];
  const stop = () => stopEach(stops.splice(0).reverse());
  try {
    return { ...(await start(stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Another process took a port after it was seen free and before the server bound it. */
export class PortTakenError extends Error {}

const STARTS = 5;
/** After a crash a server first puts its data in order. */
const START_PATIENCE_MS = 60_000;
const PAUSE_MS = 50;

/**
 * A port can only be looked for, not kept, until the server binds it (and Temporal looks for four more by itself): where another
 * program was quicker, the server is launched again on ports looked for again.
 */
export async function launchOnFreePorts<Server>(launch: () => Promise<Server>): Promise<Server> {
  for (let start = 1; ; start++)
    try {
      return await launch();
    } catch (error) {
      if (!(error instanceof PortTakenError) || start === STARTS) throw error;
    }
}

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
    const message = `${what} did not start: ${describeEnding(ending)}`;
    throw foundPortTaken(ending) ? new PortTakenError(message) : new Error(message);
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

/** PostgreSQL and Temporal both tell the system's words. */
function foundPortTaken({ lastLines }: Ending): boolean {
  return lastLines.some((line) => /address already in use/i.test(line));
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
