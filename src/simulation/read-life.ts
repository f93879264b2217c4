import type { SubscriptionId } from '../domain/ids';
import {
  type CycleRecord,
  type Db,
  type EventRecord,
  getSubscription,
  listCycles,
  listEvents,
  type Page,
  type PageOf,
} from '../ledger';
import { amountsOf, type CycleStory, type LifeRecord, type NoticeStory, pausesOf } from './life-record';
import type { PlayedEvent, Script } from './script';

/** @throws Error if the ledger has no such subscription */
export async function readLife(db: Db, script: Script, scriptedEvents: readonly PlayedEvent[]): Promise<LifeRecord> {
  const { terms, until } = script;
  const id = terms.subscriptionId;
  const subscription = await getSubscription(db, id);
  if (subscription === null) throw new Error(`the ledger has no subscription ${id}`);
  const cycles = (await everyCycle(db, id)).map(cycleStory);
  const events = await everyEvent(db, id);
  const { status, standing, cancelledBy } = subscription;
  const cancelledAt = events.find(({ type }) => type === 'subscription.cancelled')?.at;
  return {
    terms,
    from: terms.startAt,
    until,
    now: null,
    status,
    standing,
    cycles,
    scriptedEvents,
    cancelled: cancelledAt === undefined || cancelledBy === null ? null : { at: cancelledAt, by: cancelledBy },
    notices: events.flatMap(noticeStory),
    pauses: pausesOf(events),
    amounts: amountsOf(terms, cycles),
  };
}

async function everyCycle(db: Db, id: SubscriptionId): Promise<CycleRecord[]> {
  return everyPage((page) => listCycles(db, id, page));
}

async function everyEvent(db: Db, id: SubscriptionId): Promise<EventRecord[]> {
  return everyPage((page) => listEvents(db, { subscriptionId: id }, page));
}

const PAGE = 200;

/** Pages come newest first. */
async function everyPage<T>(read: (page: Page) => Promise<PageOf<T>>): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const page: PageOf<T> = await read({ limit: PAGE, cursor });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items.reverse();
}

function cycleStory(record: CycleRecord): CycleStory {
  const { cycle, dueAt, collectBy, amount, status, reason, collectedAt } = record;
  const attempts = record.attempts.map(({ attempt, send, at, state, detail, payerNotifiedAt }) => ({
    attempt,
    send,
    at,
    outcome: state,
    detail,
    noticeAt: payerNotifiedAt,
  }));
  return { cycle, dueAt, collectBy, amount, status, reason, collectedAt, attempts };
}

function noticeStory({ type, at, data }: EventRecord): NoticeStory[] {
  if (type !== 'notice.delivered') return [];
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  return [{ at, type: String(data['type']), cycle: numberOf(data['cycle']), attempt: numberOf(data['attempt']) }];
}
