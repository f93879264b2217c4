import type { ConsentPage, ConsentPageInput } from '../../src/contract/housekeeping';
import { growingPause } from '../../src/domain/attempt/pauses';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import {
  type ConsentDue,
  type ConsentDuePlace,
  endUnrecordableItems,
  readConsentsDue,
  recordConsent,
  recordLookFinished,
} from '../../src/ledger';
import { noteUnreadable, remember, toConsentResult } from '../consent/answer';
import { notifyOther } from '../decide';
import type { Dependencies } from '../dependencies';
import { passingOver } from '../refused-writes';
import { tryAgain, describe, retryAfter } from '../stops';
import { LOOKED_AT_ONCE, lookUntilAway } from './lanes';
import { type LongRun, readProgress } from './long-run';

/** One page of the look under way. */
export interface ConsentLooking extends LongRun {
  readonly deps: Dependencies;
  readonly input: ConsentPageInput;
  /** Real time since the workflow asked for this page, ms. */
  readonly age: () => number;
}

/** Of one page, as far as what is read at once is not cut. */
const MOST_ASKED = 2_000;
/** So many in a row are no longer single payments that cannot be read: the service is away. */
const UNREADABLE_IN_A_ROW = 10;
/** A service that is away is waited for; then it is left for the next day. */
const PATIENCE = HOUR;

/**
 * Reads the consents of what falls due, and keeps each answer in the ledger with all that it changes. One that stands is
 * asked for no more before this due date; one that cannot be read, or has ended, is left for the next day (rule 8).
 */
export async function lookAtConsentsDue(looking: ConsentLooking): Promise<ConsentPage> {
  const { deps, input, progress } = looking;
  let page = readProgress<ConsentPage>(looking.resumed, 'asked') ?? {
    ended: 0,
    asked: 0,
    unreadable: 0,
    after: input.after,
  };
  for (;;) {
    progress('consents', { ...page });
    const found = await readConsentsDue(deps.ledger, input.dueBy, readPlace(page.after), LOOKED_AT_ONCE);
    if (found.length === 0) {
      await recordLookFinished(deps.ledger, 'consents', deps.clock.now());
      return { ...page, after: null };
    }
    const { looks, away } = await lookUntilAway({
      items: found,
      signal: looking.signal,
      look: (due) => lookAtOne(looking, due),
      // Once the patience is over, unreadable answers hold up no other subscription; a service that is not reached does.
      isAway: ({ isUnreached }, inARow) => inARow >= UNREADABLE_IN_A_ROW && (isUnreached || looking.age() < PATIENCE),
    });
    const written = looks.filter(({ look }) => look.kind !== 'refused');
    await endUnrecordableItems(
      deps.ledger,
      ACTIVITY,
      written.map(({ item }) => item.subscriptionId),
    );
    const behind = looks.reduce((sum, { item, look }) => withLook(sum, item, look.kind), page);
    if (away !== null) {
      if (looking.age() >= PATIENCE) return { ...behind, after: null };
      const pause = Math.max(growingPause(looking.age()), away.wait);
      throw tryAgain('service_unreadable', `consents: ${away.reason}`, pause);
    }
    page = behind;
    if (page.asked >= MOST_ASKED) return page;
  }
}

type Look =
  /** `refused`: the ledger did not take the answer; the next day asks again. */
  | { readonly kind: 'ended' | 'standing' | 'refused' }
  | {
      readonly kind: 'unreadable';
      readonly reason: string;
      readonly wait: number;
      /** Whether the service was not even reached, or refuses all calls. */
      readonly isUnreached: boolean;
    };

const ACTIVITY = 'lookAtConsentsDue';

function lookAtOne(looking: ConsentLooking, due: ConsentDue): Promise<Look> {
  const { subscriptionId, paymentId } = due;
  const subject = { activity: ACTIVITY, id: subscriptionId, about: { subscriptionId, paymentId } };
  return passingOver(
    looking.deps,
    subject,
    () => lookAt(looking, due),
    () => ({ kind: 'refused' }),
  );
}

async function lookAt({ deps }: ConsentLooking, due: ConsentDue): Promise<Look> {
  const answer = await deps.service.getConsent(due.paymentId);
  if (answer.kind !== 'accepted') {
    const isUnreached = answer.kind === 'not_sent';
    await noteUnreadable(deps, due, answer);
    return { kind: 'unreadable', reason: describe(answer), wait: retryAfter(answer), isUnreached };
  }
  const result = await toConsentResult(deps, due, answer.value);
  await remember(deps, due, answer.value, result?.kind === 'granted' ? due.dueAt : null);
  if (result === null) await noteUnreadable(deps, due, answer);
  if (result === null || result.kind === 'granted') return { kind: 'standing' };
  const { changed, other } = await recordConsent(deps.ledger, due.subscriptionId, result, deps.clock.now());
  await notifyOther(deps, changed);
  await notifyOther(deps, other);
  return { kind: 'ended' };
}

function withLook(page: ConsentPage, due: ConsentDue, kind: Look['kind']): ConsentPage {
  return {
    ended: page.ended + (kind === 'ended' ? 1 : 0),
    asked: page.asked + 1,
    unreadable: page.unreadable + (kind === 'unreadable' || kind === 'refused' ? 1 : 0),
    after: `${due.dueAt}/${due.subscriptionId}`,
  };
}

/** A place of an older release is a subscription's id alone: such a look begins anew. */
function readPlace(after: string | null): ConsentDuePlace | null {
  const [, dueAt, id] = /^(\d+)\/(.+)$/s.exec(after ?? '') ?? [];
  return dueAt === undefined ? null : { dueAt: Number(dueAt), subscriptionId: id as SubscriptionId };
}
