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
import { isStillGood } from '../access/authentication';
import { type Caller, callerOf } from '../http/caller';
import { Problem } from '../http/problems';
import { Changes } from './changes';
import { cursorExpired, refuseStrangeCursor } from './routes';
import { FEED_FILTERS } from './schema';

const StreamQuery = z.strictObject({
  ...FEED_FILTERS,
  changes: z.enum(['true', 'false']).default('false').meta({
    description:
      'Adds `event: change` for every write, with the id of its subject alone, and `event: installation_change` with `{}` for one that is of no subscription and no payment, each at most once a second',
  }),
});

const MOST_OF_A_KEY = 5;
/** Real ms. A key that is revoked ends its streams within a second. */
const LOOK_EVERY = 400;
/** Real ms in which the last look at a key counts: less than between two looks at what there is to tell. */
const KEY_COUNTS_FOR = 300;
const COMMENT_EVERY = 15_000;
/** Real ms after which a reader that has not taken what was written is cut off. */
const STALLED_AFTER = MINUTE;
const AT_ONCE = 200;

/** `GET /stream`: server-sent events, whose ids are the cursors of `GET /events`. */
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
      summary: 'Sends events as they come (text/event-stream), from Last-Event-ID on, or from now',
      querystring: StreamQuery,
      response: {
        200: {
          description:
            'Each event is sent as `id`, `event` and `data`, and a comment if nothing else was sent for 15 s.',
          content: { 'text/event-stream': { schema: z.string() } },
        },
      },
    }),
    async (request, reply) => {
      const caller = callerOf(request);
      const { types, changes, ...subject } = request.query;
      const filter = { ...subject, types: types === undefined ? undefined : typesMatching(types) };
      const from = await beginning(deps, filter, request.headers['last-event-id']);
      // Before the answer begins: a reader that has its head hears of every write from then on.
      const writes = changes === 'true' ? await changesOf(deps, subject) : null;
      const { firstKeyId } = caller;
      const streams = open.get(firstKeyId) ?? 0;
      if (streams >= MOST_OF_A_KEY) throw tooManyStreams();
      open.set(firstKeyId, streams + 1);
      reply.hijack();
      reply.raw.setHeader('x-request-id', request.id);
      const stream = { response: reply.raw, filter, caller, changes: writes, closing: closing.signal };
      await serve(deps, stream, from)
        .catch((error: unknown) => request.log.warn({ err: loggable(error) }, 'a stream of events has ended'))
        .finally(() => {
          open.set(firstKeyId, (open.get(firstKeyId) ?? 1) - 1);
          end(reply.raw);
        });
    },
  );
}

/** What reports the writes from now on. */
async function changesOf({ reading }: AdminDeps, subject: Pick<FeedFilter, 'subscriptionId' | 'paymentId'>) {
  const { paymentId } = subject;
  const mandateOf =
    paymentId === undefined ? null : await readList(reading, (db) => subscriptionOfPayment(db, paymentId));
  return new Changes({ ...subject, mandateOf }, await readList(reading, lastEntryId));
}

/** @throws Problem where the id is none, or what is behind it is gone. */
async function beginning(deps: AdminDeps, filter: FeedFilter, header: string | string[] | undefined): Promise<string> {
  const after = typeof header === 'string' && header !== '' ? header : null;
  if (after === null) return readList(deps.reading, feedEnd);
  refuseStrangeCursor(after, 'Last-Event-ID');
  const read = await readList(deps.reading, (db) => readFeed(db, filter, { after, limit: 1 }));
  if (read.kind === 'expired') throw cursorExpired();
  return after;
}

function tooManyStreams(): Problem {
  return new Problem('rate_limited', `A key may have ${MOST_OF_A_KEY} streams at once.`, {}, { 'retry-after': '15' });
}

interface Stream {
  readonly response: ServerResponse;
  readonly filter: FeedFilter;
  readonly caller: Caller;
  /** What reports every write; null where that was not asked for. */
  readonly changes: Changes | null;
  /** Aborts where the API closes. */
  readonly closing: AbortSignal;
}

/**
 * Until the reader goes or stalls, its key is revoked, or the API closes. Slow readers are waited for: nothing is kept
 * for them.
 */
async function serve(deps: AdminDeps, stream: Stream, from: string): Promise<void> {
  const { response, filter, changes } = stream;
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
  response.writeHead(200, headers);
  // An id without data is no event: a caller that is cut off before the first one goes on from here.
  response.write(`id: ${from}\n\n`);
  let after = from;
  let saidAt = deps.clock.realNow();
  const goesOn = watch(deps, stream);
  const say = async (text: string) => {
    if (!(await goesOn())) return;
    saidAt = deps.clock.realNow();
    if (!response.write(text)) await untilTaken(deps, stream, goesOn);
  };
  while (await goesOn()) {
    const read = await readList(deps.reading, (db) => readFeed(db, filter, { after, limit: AT_ONCE }));
    if (read.kind === 'expired') return;
    for (const event of read.events) {
      const id = feedCursorAt(event.position ?? 0, read.epoch);
      await say(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(envelopeOf(event))}\n\n`);
    }
    after = read.cursor;
    const news =
      changes === null
        ? []
        : changes.takeDue(await readList(deps.reading, (db) => readChanges(db, changes.after)), deps.clock.realNow());
    for (const { event, data } of news) await say(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (deps.clock.realNow() - saidAt >= COMMENT_EVERY) await say(': still here\n\n');
    if (read.events.length === AT_ONCE) continue;
    await pause(LOOK_EVERY, undefined, { signal: stream.closing }).catch(() => undefined);
  }
}

/** Whether a stream goes on: its reader is there, its key is good by a look of just now, and the API does not close. */
type GoesOn = () => Promise<boolean>;

function watch(deps: AdminDeps, { response, caller, closing }: Stream): GoesOn {
  let isGood = true;
  let lookedAt = performance.now();
  return async () => {
    if (isGood && performance.now() - lookedAt >= KEY_COUNTS_FOR) {
      lookedAt = performance.now();
      isGood = await isStillGood(deps, caller);
    }
    return isGood && !closing.aborted && !response.destroyed && !response.writableEnded;
  };
}

/** Until the reader has taken what was written, or the stream does not go on. No listener outlives the wait. */
async function untilTaken(deps: AdminDeps, { response, closing }: Stream, goesOn: GoesOn): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    once(closing, 'abort', { signal }),
    cutOff(deps, response, goesOn, signal),
  ]).finally(() => waiting.abort());
}

/** Ends the connection of a reader that may have no more, or has stalled. @throws once it is waited for no more */
async function cutOff(
  { clock }: AdminDeps,
  response: ServerResponse,
  goesOn: GoesOn,
  signal: AbortSignal,
): Promise<void> {
  const until = clock.realNow() + STALLED_AFTER;
  do await pause(LOOK_EVERY, undefined, { signal });
  while (clock.realNow() < until && (await goesOn()));
  response.destroy();
}

/** A reader that does not take what is left would keep the connection, and with it an API that closes: it is cut off. */
function end(response: ServerResponse): void {
  if (response.writableLength > 0) response.destroy();
  else response.end();
}
