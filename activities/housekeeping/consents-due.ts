import type { DailyInput } from '../../src/contract/housekeeping';
import { growingWait } from '../../src/domain/attempt/waits';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import {
  type DueConsent,
  type DueConsentPosition,
  endUnrecordableItems,
  readDueConsents,
  recordConsent,
  recordCheckFinished,
} from '../../src/ledger';
import { noteUnreadable, storeConsent, toConsentResult } from '../consent/answer';
import { notifyOther } from '../decide';
import type { Dependencies } from '../dependencies';
import { skipIfRefused } from '../refused-writes';
import { tryAgain, describe, retryAfter } from '../stops';
import { CHECK_BATCH_SIZE, checkUntilUnavailable } from './concurrent-checks';
import { type LongRun, readProgress } from './long-run';

/** One page of the check in progress. */
export interface ConsentChecking extends LongRun {
  readonly deps: Dependencies;
  readonly input: DailyInput<'consents'>;
  /** Real ms since the workflow scheduled this page. */
  readonly age: () => number;
}

export interface ConsentPage {
  /** How many consents turned out cancelled or failed. */
  readonly ended: number;
  readonly asked: number;
  /** How many answers could not be read, or not be stored; tried again the next day. */
  readonly unreadable: number;
  /** The consents after this position are still to be checked; null if none is left. */
  readonly after: string | null;
}

/** Maximum per page, rounded up to a whole batch. */
const MAX_PER_PAGE = 2_000;
/**
 * This many unreadable answers in a row mean that the service is unavailable, not that single consents cannot be read.
 */
const UNREADABLE_IN_A_ROW = 10;
/** Real time to wait for an unavailable service; then the rest is left for the next day. */
const TIMEOUT = HOUR;

/**
 * Reads the consents of subscriptions that fall due and stores each answer with all that it changes. A valid consent is not
 * checked again before this due date; one that cannot be read is left for the next day (rule 8).
 */
export async function checkDueConsents(checking: ConsentChecking): Promise<ConsentPage> {
  const { deps, input, progress } = checking;
  let page = readProgress<ConsentPage>(checking.resumed, 'asked') ?? {
    ended: 0,
    asked: 0,
    unreadable: 0,
    after: input.after,
  };
  for (;;) {
    progress('consents', { ...page });
    const found = await readDueConsents(deps.ledger, input.dueBy, readPosition(page.after), CHECK_BATCH_SIZE);
    if (found.length === 0) {
      await recordCheckFinished(deps.ledger, 'consents', deps.clock.now());
      return { ...page, after: null };
    }
    const { results, unavailable } = await checkUntilUnavailable({
      items: found,
      signal: checking.signal,
      check: (due) => checkOne(checking, due),
      // After the time-out, unreadable answers no longer stop the check. A service that cannot be reached always does, even if
      // fewer consents are due.
      isUnavailable: ({ isUnreached }, inARow) =>
        isUnreached
          ? inARow >= Math.min(UNREADABLE_IN_A_ROW, found.length)
          : inARow >= UNREADABLE_IN_A_ROW && checking.age() < TIMEOUT,
    });
    const written = results.filter(({ result }) => result.kind !== 'refused');
    await endUnrecordableItems(
      deps.ledger,
      ACTIVITY,
      written.map(({ item }) => item.subscriptionId),
    );
    const passed = results.reduce((sum, { item, result }) => withResult(sum, item, result.kind), page);
    if (unavailable !== null) {
      if (checking.age() >= TIMEOUT) return { ...passed, after: null };
      const wait = Math.max(growingWait(checking.age()), unavailable.wait);
      throw tryAgain('service_unreadable', `consents: ${unavailable.reason}`, wait);
    }
    page = passed;
    if (page.asked >= MAX_PER_PAGE) return page;
  }
}

type CheckResult =
  /** `refused`: the ledger refused to store the answer; it is checked again the next day. */
  | { readonly kind: 'ended' | 'valid' | 'refused' }
  | {
      readonly kind: 'unreadable';
      readonly reason: string;
      readonly wait: number;
      /** Whether the service was not reached, or refuses all calls. */
      readonly isUnreached: boolean;
    };

const ACTIVITY = 'checkDueConsents';

function checkOne(checking: ConsentChecking, due: DueConsent): Promise<CheckResult> {
  const { subscriptionId, paymentId } = due;
  const subject = { activity: ACTIVITY, id: subscriptionId, about: { subscriptionId, paymentId } };
  return skipIfRefused(
    checking.deps,
    subject,
    () => readConsent(checking, due),
    () => ({ kind: 'refused' }),
  );
}

async function readConsent({ deps }: ConsentChecking, due: DueConsent): Promise<CheckResult> {
  const askedAt = deps.clock.now();
  const answer = await deps.service.getConsent(due.paymentId);
  if (answer.kind !== 'accepted') {
    const isUnreached = answer.kind === 'not_sent';
    await noteUnreadable(deps, due, answer);
    return { kind: 'unreadable', reason: describe(answer), wait: retryAfter(answer), isUnreached };
  }
  const result = await toConsentResult(deps, due, answer.value);
  await storeConsent(deps, due, answer.value, askedAt, result?.kind === 'granted' ? due.dueAt : null);
  if (result === null) await noteUnreadable(deps, due, answer);
  if (result === null || result.kind === 'granted') return { kind: 'valid' };
  const { changed, other } = await recordConsent(deps.ledger, due.subscriptionId, result, deps.clock.now());
  await notifyOther(deps, changed);
  await notifyOther(deps, other);
  return { kind: 'ended' };
}

function withResult(page: ConsentPage, due: DueConsent, kind: CheckResult['kind']): ConsentPage {
  return {
    ended: page.ended + (kind === 'ended' ? 1 : 0),
    asked: page.asked + 1,
    unreadable: page.unreadable + (kind === 'unreadable' || kind === 'refused' ? 1 : 0),
    after: `${due.dueAt}/${due.subscriptionId}`,
  };
}

/** Null for a position in any other form: the check then starts from the beginning. */
function readPosition(after: string | null): DueConsentPosition | null {
  const [, dueAt, id] = /^(\d+)\/(.+)$/s.exec(after ?? '') ?? [];
  return dueAt === undefined ? null : { dueAt: Number(dueAt), subscriptionId: id as SubscriptionId };
}
