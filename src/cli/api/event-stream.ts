import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../domain/time';
import { type Access, ApiBusyError, ApiUnavailableError, openStream, wholeParts } from './call';

/** Real ms to wait before reconnecting; longer each time until something arrives. */
const WAITS = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * SECOND);
/** Real ms without any data before the connection counts as dead. The API sends something every 15 seconds. */
const MAX_SILENCE = 45 * SECOND;

/**
 * Yields the JSON of each event as it happens, and never ends by itself. If the stream breaks, it reconnects after the last
 * complete event, so that no event is lost or repeated.
 * @throws CommandError as `callApi` does, if the stream cannot be opened at first, or is refused later
 */
export async function* eventsOf(access: Access, types: string | undefined): AsyncGenerator<string> {
  const path = types === undefined ? '/v1/stream' : `/v1/stream?${new URLSearchParams({ types }).toString()}`;
  let lastId: string | null = null;
  for (let failed = 0; ; failed += 1) {
    try {
      for await (const { id, data } of framesOf(access, path, lastId)) {
        failed = 0;
        if (data !== null) yield data;
        lastId = id ?? lastId;
      }
    } catch (error) {
      if (lastId === null || !isTemporary(error)) throw error;
      await waitBefore(failed, error.message);
    }
  }
}

/** Whether a retry may succeed; a revoked key or an expired cursor is refused permanently. */
function isTemporary(error: unknown): error is ApiUnavailableError | ApiBusyError {
  return error instanceof ApiUnavailableError || error instanceof ApiBusyError;
}

/** Waits before the stream is opened again, and reports the reason on standard error, because events may be late. */
async function waitBefore(failed: number, why: string): Promise<void> {
  const wait = WAITS[Math.min(failed, WAITS.length - 1)] ?? 0;
  process.stderr.write(`${why}; reconnecting in ${wait / SECOND} s, after the last event\n`);
  await pause(wait);
}

/** One block of the stream; one that only gives the position has no data. */
interface Frame {
  /** The position in the stream after this block. */
  readonly id: string | null;
  readonly data: string | null;
}

/** Yields the frames of one connection. A frame that is cut off is sent again by the next. @throws ApiUnavailableError at its end */
async function* framesOf(access: Access, path: string, lastEventId: string | null): AsyncGenerator<Frame, never> {
  const stream = await openStream(access, path, 'text/event-stream', { lastEventId });
  const silence = setTimeout(
    () => stream.destroy(new ApiUnavailableError(`nothing received for ${MAX_SILENCE / SECOND} s`)),
    MAX_SILENCE,
  );
  try {
    for await (const block of wholeParts(stream, '\n\n')) {
      // The time that the caller spends on an event does not count as silence.
      yield readFrame(block);
      silence.refresh();
    }
  } finally {
    clearTimeout(silence);
  }
  throw new ApiUnavailableError('the stream of events has ended');
}

function readFrame(block: string): Frame {
  const lines = block.split('\n');
  const fieldOf = (name: string) =>
    lines
      .find((line) => line.startsWith(name))
      ?.slice(name.length)
      .trim() ?? null;
  return { id: fieldOf('id:'), data: fieldOf('data:') };
}
