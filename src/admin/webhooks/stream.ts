import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { MINUTE } from '../../domain/time';
import {
  envelopeOf,
  feedCursorAt,
  feedEnd,
  type FeedFilter,
  lastEntryId,
  readChanges,
  readFeed,
  readList,
  subscriptionOfPayment,
  typesMatching,
} from '../../ledger';
import { loggable } from '../../platform/log';
import { type AdminDeps, call, type TypedApp } from '../dependencies';
import { isStillValid } from '../access/authentication';
import { type Caller, callerOf } from '../http/caller';
import { Problem } from '../http/problems';
import { Changes } from './changes';
import { cursorExpired, requireFeedCursor } from './routes';
import { FEED_FILTERS } from './schema';

const StreamQuery = z.strictObject({
  ...FEED_FILTERS,
  changes: z.enum(['true', 'false']).default('false').meta({
    description:
      'Adds `event: change` for every write, containing only the id of its subject, and `event: installation_change` with `{}` for writes that concern no subscription or payment; each at most once a second',
  }),
});

const MAX_PER_KEY = 5;
/** Real ms. A key that is revoked ends its streams within a second. */
const POLL_INTERVAL = 400;
/** Real ms for which a check of the key remains valid: less than the poll interval. */
const KEY_CHECK_VALID_FOR = 300;
const COMMENT_INTERVAL = 15_000;
/** Real ms after which a reader that has not received what was written is disconnected. */
const STALLED_AFTER = MINUTE;
const BATCH = 200;

/** `GET /stream`: server-sent events whose ids are cursors of `GET /events`. */
export function streamRoute(app: TypedApp, deps: AdminDeps): void {
  const open = new Map<string, number>();
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  app.get(
    '/stream',
    call('viewer', 'events', {
      config: { unattended: true, isContinuable: true },
      tags: ['events'],
      operationId: 'streamEvents',
      summary: 'Streams events as they occur (text/event-stream), from Last-Event-ID on, or from now',
      querystring: StreamQuery,
      response: {
        200: {
          description:
            'Each event has `id`, `event` and `data`. If no event was sent for 15 seconds, a comment is sent, with the `id` from which to resume.',
          content: { 'text/event-stream': { schema: z.string() } },
        },
      },
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      const { types, changes, ...subject } = request.query;
      const filter = { ...subject, types: types === undefined ? undefined : typesMatching(types) };
      const from = await startOf(deps, filter, request.headers['last-event-id']);
      // Done before the response starts, so that a reader that has received the headers gets every later write.
      const writes = changes === 'true' ? await changesOf(deps, subject) : null;
      const { firstKeyId } = caller;
      const streams = open.get(firstKeyId) ?? 0;
      if (streams >= MAX_PER_KEY) throw tooManyStreams();
      open.set(firstKeyId, streams + 1);
      reply.hijack();
      reply.raw.setHeader('x-request-id', request.id);
      const stream = { response: reply.raw, filter, caller, changes: writes, closing: closing.signal };
      await serve(deps, stream, from)
        .catch((error: unknown) => request.log.warn({ err: loggable(error) }, 'a stream of events failed'))
        .finally(() => {
          open.set(firstKeyId, (open.get(firstKeyId) ?? 1) - 1);
          end(reply.raw);
        });
    },
  );
}

/** Reports writes from now on. */
async function changesOf({ reading }: AdminDeps, subject: Pick<FeedFilter, 'subscriptionId' | 'paymentId'>) {
  const { paymentId } = subject;
  const mandateOf =
    paymentId === undefined ? null : await readList(reading, (db) => subscriptionOfPayment(db, paymentId));
  const changes = new Changes({ ...subject, mandateOf }, await readList(reading, lastEntryId));
  changes.skip(await readList(reading, (db) => readChanges(db, changes.after)));
  return changes;
}

/** @throws Problem if the id is not a cursor, or events after it are no longer stored */
async function startOf(deps: AdminDeps, filter: FeedFilter, header: string | string[] | undefined): Promise<string> {
  const after = typeof header === 'string' && header !== '' ? header : null;
  if (after === null) return readList(deps.reading, feedEnd);
  requireFeedCursor(after, 'Last-Event-ID');
  const read = await readList(deps.reading, (db) => readFeed(db, filter, { after, limit: 1 }));
  if (read.kind === 'expired') throw cursorExpired();
  return after;
}

function tooManyStreams(): Problem {
  return new Problem(
    'rate_limited',
    `A key may have at most ${MAX_PER_KEY} streams at a time.`,
    {},
    { 'retry-after': '15' },
  );
}

interface Stream {
  readonly response: ServerResponse;
  readonly filter: FeedFilter;
  readonly caller: Caller;
  /** Reports every write; null if not requested. */
  readonly changes: Changes | null;
  /** Aborted when the API closes. */
  readonly closing: AbortSignal;
}

/**
 * Runs until the reader disconnects or stalls, its key is revoked, or the API closes. Waits for slow readers: nothing is
 * buffered for them.
 */
async function serve(deps: AdminDeps, stream: Stream, from: string): Promise<void> {
  const { response, filter, changes } = stream;
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  response.writeHead(200, headers);
  // An id without data is not an event, but lets a caller that is disconnected before the first event resume from here.
  response.write(`id: ${from}\n\n`);
  let after = from;
  let identifiedAt = deps.clock.realNow();
  const isActive = watch(deps, stream);
  const write = async (text: string) => {
    if (!(await isActive())) return;
    if (!response.write(text)) await untilDrained(deps, stream, isActive);
  };
  while (await isActive()) {
    const read = await readList(deps.reading, (db) => readFeed(db, filter, { after, limit: BATCH }));
    if (read.kind === 'expired') return;
    for (const event of read.events) {
      const id = feedCursorAt(event.position ?? 0, read.epoch);
      await write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(envelopeOf(event))}\n\n`);
      identifiedAt = deps.clock.realNow();
    }
    after = read.cursor;
    const reported =
      changes === null
        ? []
        : changes.takeDue(await readList(deps.reading, (db) => readChanges(db, changes.after)), deps.clock.realNow());
    for (const { event, data } of reported) await write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (deps.clock.realNow() - identifiedAt >= COMMENT_INTERVAL) {
      await write(`: still here\nid: ${after}\n\n`);
      identifiedAt = deps.clock.realNow();
    }
    if (read.events.length === BATCH) continue;
    await pause(POLL_INTERVAL, undefined, { signal: stream.closing }).catch(() => undefined);
  }
}

/** Whether a stream continues: its reader is connected, its key was valid at the last check, and the API is not closing. */
type IsActive = () => Promise<boolean>;

function watch(deps: AdminDeps, { response, caller, closing }: Stream): IsActive {
  let isValid = true;
  let checkedAt = performance.now();
  return async () => {
    if (isValid && performance.now() - checkedAt >= KEY_CHECK_VALID_FOR) {
      checkedAt = performance.now();
      isValid = await isStillValid(deps, caller);
    }
    return isValid && !closing.aborted && !response.destroyed && !response.writableEnded;
  };
}

/** Waits until the reader has received what was written, or the stream ends. Removes its listeners afterwards. */
async function untilDrained(deps: AdminDeps, { response, closing }: Stream, isActive: IsActive): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    once(closing, 'abort', { signal }),
    disconnectWhenStalled(deps, response, isActive, signal),
  ]).finally(() => waiting.abort());
}

/** Disconnects a reader that has stalled or lost access. @throws when `signal` aborts */
async function disconnectWhenStalled(
  { clock }: AdminDeps,
  response: ServerResponse,
  isActive: IsActive,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.realNow() + STALLED_AFTER;
  do await pause(POLL_INTERVAL, undefined, { signal });
  while (clock.realNow() < until && (await isActive()));
  response.destroy();
}

/** Ends a stream. Disconnects a reader that has not received everything: such a reader would keep a closing API waiting. */
function end(response: ServerResponse): void {
  if (response.writableLength > 0) response.destroy();
  else response.end();
}
