import type { PaymentRef } from '../../src/contract/activities';
import type { ConsentPage, ConsentPageInput } from '../../src/contract/housekeeping';
import type { SubscriptionId } from '../../src/domain/ids';
import { HOUR } from '../../src/domain/time';
import { readConsentsDue } from '../../src/ledger';
import { remember, toConsentResult } from '../consent/consent';
import type { Dependencies } from '../dependencies';
import { growingPause, tryAgain, type Progress, describe, retryAfter } from '../stops';

/** One page of the look under way. */
export interface ConsentLooking {
  readonly deps: Dependencies;
  readonly input: ConsentPageInput;
  /** What the run before, which died or stopped, had come to; anything else where there was none. */
  readonly resumed: unknown;
  readonly progress: Progress;
  /** Real time since the workflow asked for this page, ms. */
  readonly age: () => number;
  readonly signal: AbortSignal;
}

const READ_AT_ONCE = 100;
/** A page's ends are signalled before the next is begun. */
const MOST_ENDED = 100;
const MOST_ASKED = 2_000;
/** So many in a row are no longer single payments that cannot be read: the service is away. */
const UNREADABLE_IN_A_ROW = 10;
/** A service that is away is waited for; then it is left for the next day. */
const PATIENCE = HOUR;

/**
 * Reads the consents of what falls due, keeps each answer in the ledger, and answers whose has ended. One that cannot be
 * read is counted and left for the next day (rule 8).
 */
export async function lookAtConsentsDue(looking: ConsentLooking): Promise<ConsentPage> {
  const { deps, input, progress, signal } = looking;
  let page = readProgress(looking.resumed) ?? { ended: [], asked: 0, unreadable: 0, after: input.after };
  let inARow = 0;
  const tell = () => progress('consents', { ...page });
  tell();
  for (;;) {
    const found = await readConsentsDue(deps.ledger, input.dueBy, page.after, READ_AT_ONCE);
    if (found.length === 0) return { ...page, after: null };
    // Where the answers fail to come, what was not read is asked again from here.
    let behind = page;
    for (const payment of found) {
      signal.throwIfAborted();
      const look = await lookAt(looking, payment);
      inARow = look.kind === 'unreadable' ? inARow + 1 : 0;
      behind = withLook(behind, payment.subscriptionId, look.kind);
      if (look.kind === 'unreadable') {
        if (inARow < UNREADABLE_IN_A_ROW) continue;
        if (looking.age() >= PATIENCE) return { ...behind, after: null };
        throw tryAgain('service_unreadable', `consents: ${look.reason}`, pauseFor(looking, look.wait));
      }
      page = behind;
      tell();
      if (page.ended.length >= MOST_ENDED || page.asked >= MOST_ASKED) return page;
    }
    page = behind;
    tell();
  }
}

type Look =
  | { readonly kind: 'ended' | 'standing' }
  | { readonly kind: 'unreadable'; readonly reason: string; readonly wait: number };

async function lookAt({ deps }: ConsentLooking, payment: PaymentRef): Promise<Look> {
  const answer = await deps.service.getConsent(payment.paymentId);
  if (answer.kind !== 'accepted') return { kind: 'unreadable', reason: describe(answer), wait: retryAfter(answer) };
  await remember(deps, payment, answer.value);
  const result = await toConsentResult(deps, payment, answer.value);
  return { kind: result === null || result.kind === 'granted' ? 'standing' : 'ended' };
}

function withLook(page: ConsentPage, id: SubscriptionId, kind: Look['kind']): ConsentPage {
  return {
    ended: kind === 'ended' ? [...page.ended, id] : page.ended,
    asked: page.asked + 1,
    unreadable: page.unreadable + (kind === 'unreadable' ? 1 : 0),
    after: id,
  };
}

function pauseFor({ age }: ConsentLooking, atLeast: number): number {
  return Math.max(growingPause(age()), atLeast);
}

function readProgress(details: unknown): ConsentPage | null {
  if (typeof details !== 'object' || details === null || !('asked' in details)) return null;
  const { ended, asked, unreadable, after } = details as ConsentPage;
  return { ended, asked, unreadable, after };
}
