import type { SubscriptionId } from '../domain/ids';
import type { Instant } from '../domain/time';
import { type Money, sameMoney } from '../domain/money';
import type { Standing, CancelledBy, CycleStatus, SubscriptionStatus, Terms } from '../domain/subscription/state';
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
import type { AttemptState } from '../domain/send';
import type { Happened, Script } from './script';

/** What really happened, as the ledger has it. Oldest first throughout; instants in business time. */
export interface LifeRecord {
  readonly terms: Terms;
  /** The stretch that was watched. */
  readonly from: Instant;
  readonly until: Instant;
  readonly status: SubscriptionStatus;
  readonly standing: Standing;
  readonly cancelled: { readonly at: Instant; readonly by: CancelledBy } | null;
  readonly cycles: readonly CycleStory[];
  readonly notices: readonly NoticeStory[];
  readonly pauses: readonly { readonly from: Instant; readonly until: Instant | null }[];
  /** The consent amount, then each cycle that collects another amount than the one before. */
  readonly amounts: readonly { readonly cycle: number; readonly dueAt: Instant; readonly amount: Money }[];
  readonly happenings: readonly Happened[];
}

export interface CycleStory {
  readonly cycle: number;
  readonly dueAt: Instant;
  readonly collectBy: Instant;
  readonly amount: Money;
  readonly status: CycleStatus;
  readonly reason: string | null;
  readonly collectedAt: Instant | null;
  readonly attempts: readonly AttemptStory[];
}

export interface AttemptStory {
  /** 0 first, 1 to 3 retries. */
  readonly attempt: number;
  /** 0, and one more after each that never arrived. */
  readonly send: number;
  readonly at: Instant;
  readonly outcome: AttemptState;
  readonly detail: string | null;
  /** When the payer had been told of its rejection. */
  readonly noticeAt: Instant | null;
}

export interface NoticeStory {
  readonly at: Instant;
  readonly type: string;
  readonly cycle: number | null;
  readonly attempt: number | null;
}

/** @throws Error where the ledger has no such subscription */
export async function readLife(db: Db, script: Script, happenings: readonly Happened[]): Promise<LifeRecord> {
  const { terms, until } = script;
  const id = terms.subscriptionId;
  const subscription = await getSubscription(db, id);
  if (subscription === null) throw new Error(`the ledger has no subscription ${id}`);
  const cycles = (await everyCycle(db, id)).map(cycleStory);
  const events = await everyEvent(db, id);
  const { status, standing, cancelledBy } = subscription;
  const cancelledAt = events.find(({ type }) => type === 'subscription.cancelled')?.at;
  return {
    ...{ terms, from: terms.startAt, until, status, standing, cycles, happenings },
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
    ...{ attempt, send, at, outcome: state, detail, noticeAt: payerNotifiedAt },
  }));
  return { cycle, dueAt, collectBy, amount, status, reason, collectedAt, attempts };
}

function noticeStory({ type, at, data }: EventRecord): NoticeStory[] {
  if (type !== 'notice.delivered') return [];
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  return [{ at, type: String(data['type']), cycle: numberOf(data['cycle']), attempt: numberOf(data['attempt']) }];
}

function pausesOf(events: readonly EventRecord[]): { from: Instant; until: Instant | null }[] {
  const pauses: { from: Instant; until: Instant | null }[] = [];
  for (const { type, at, data } of events) {
    if (type === 'subscription.paused') pauses.push({ from: at, until: null });
    const current = pauses.at(-1);
    if (type === 'subscription.resumed' && current !== undefined) current.until = Date.parse(String(data['at']));
  }
  return pauses;
}

function amountsOf(terms: Terms, cycles: readonly CycleStory[]): LifeRecord['amounts'] {
  const amounts = [{ cycle: 0, dueAt: terms.firstPaymentAt, amount: terms.consentAmount }];
  for (const { cycle, dueAt, amount, attempts } of cycles) {
    const last = amounts.at(-1);
    if (attempts.length > 0 && last !== undefined && !sameMoney(last.amount, amount)) {
      amounts.push({ cycle, dueAt, amount });
    }
  }
  return amounts;
}
