import { setTimeout as pause } from 'node:timers/promises';
import { describeEnding, type Ending, type SupervisedProcess } from './supervised-process';

/** How a running server ends. */
export interface ServerLife {
  /** Resolves with the reason if the server ends without `stop`. */
  failed: Promise<string>;
  /** May be called repeatedly; resolves once the server has ended and its folder is released. */
  stop: () => Promise<void>;
}

/** The stop functions of everything started so far. */
export type Stops = (() => Promise<unknown>)[];

/**
 * Stops one part at a time, and continues if one fails, as the others may still have work in progress.
 * @throws the first error, once all have been stopped
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
 * Starts several parts, or none: after an error, those already started are stopped.
 * @param start adds a stop function for each part as soon as it is started
 * @returns the result of `start`, and a function that stops all parts, the last one first
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

/** Another process took a port between the check and the server's bind. */
export class PortTakenError extends Error {}

const STARTS = 5;
/** After a crash a server first recovers its data. */
const START_TIMEOUT_MS = 60_000;
const PAUSE_MS = 50;

/**
 * A free port cannot be reserved until the server binds it (and Temporal picks four more by itself): if another program was
 * faster, the server is launched again on other ports.
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
 * Calls `reach` repeatedly until it succeeds.
 * @throws if the server ends before that, or does not answer in time; the server is then stopped.
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

/** PostgreSQL and Temporal both print the system's message. */
function foundPortTaken({ lastLines }: Ending): boolean {
  return lastLines.some((line) => /address already in use/i.test(line));
}

async function tryUntilReached(reach: () => Promise<void>, trying: { on: boolean }): Promise<void> {
  const timesOutAt = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      await reach();
      return;
    } catch (error) {
      if (!trying.on || performance.now() > timesOutAt) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** @param release frees the server's resources once it has ended by `stop` */
export function serverLife(what: string, server: SupervisedProcess, release: () => Promise<void>): ServerLife {
  let stopping: Promise<void> | undefined;
  const failed = new Promise<string>((resolve) => {
    void server.ended.then((ending) => {
      if (stopping === undefined) resolve(`${what} ended by itself: ${describeEnding(ending)}`);
    });
  });
  return { failed, stop: () => (stopping ??= server.stop().then(release)) };
}
