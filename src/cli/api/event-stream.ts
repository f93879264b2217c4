import { setTimeout as pause } from 'node:timers/promises';
import { SECOND } from '../../domain/time';
import { type Access, ApiBusyError, ApiUnavailableError, openStream, wholeParts } from './call';

/** Real ms before it is connected again; longer each time until something is heard. */
const PAUSES = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * SECOND);
/** Real ms without a sign of life. The API says something every 15 seconds. */
const LONGEST_SILENCE = 45 * SECOND;

/**
 * The JSON of each event as it happens, without an end of its own. Where the stream breaks it is connected again, behind the
 * last whole event, so that none is missing and none comes twice.
 * @throws CommandError as `callApi` does, where the API is not there at first, or refuses
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
      if (lastId === null || !isPassing(error)) throw error;
      await waitBefore(failed, error.message);
    }
  }
}

/** What time may heal; a key that was revoked, or a place that is gone, is refused for good. */
function isPassing(error: unknown): error is ApiUnavailableError | ApiBusyError {
  return error instanceof ApiUnavailableError || error instanceof ApiBusyError;
}

/** Says why on standard error: events may come late. */
async function waitBefore(failed: number, why: string): Promise<void> {
  const wait = PAUSES[Math.min(failed, PAUSES.length - 1)] ?? 0;
  process.stderr.write(`${why}; connecting again in ${wait / SECOND} s, behind the last event\n`);
  await pause(wait);
}

/** One block of the stream; a comment has neither. */
interface Frame {
  /** The place behind it. */
  readonly id: string | null;
  readonly data: string | null;
}

/** What is cut off comes again. @throws ApiUnavailableError where the stream ends in any way */
async function* framesOf(access: Access, path: string, lastEventId: string | null): AsyncGenerator<Frame, never> {
  const stream = await openStream(access, path, 'text/event-stream', { lastEventId });
  const silence = setTimeout(
    () => stream.destroy(new ApiUnavailableError(`nothing came for ${LONGEST_SILENCE / SECOND} s`)),
    LONGEST_SILENCE,
  );
  try {
    for await (const block of wholeParts(stream, '\n\n')) {
      // While an event is worked on nothing is heard: only from then on it is silence.
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
