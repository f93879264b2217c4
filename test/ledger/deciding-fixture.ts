import type { AttemptNumber } from '../../src/domain/subscription/step';
import { collectionWindow } from '../../src/domain/subscription/schedule';
import { HOUR, type Instant, MINUTE } from '../../src/domain/time';
import { decideNext } from '../../src/ledger';
import { DUE, NOW, sendOf, settle, startDebit, type Subscribed, type TestLedger } from './ledger-fixture';
import { since, type Written, written } from './written';

/** Windows of the subscriptions of the fixture, which are monthly. */
export const windowOf = (cycle: number) =>
  collectionWindow({ repetition: 'MONTHLY', firstPaymentAt: DUE, endAt: null }, cycle);

/** A retry of cycle 0 must be sent before this instant, by the standard policy with its transit margin of a minute. */
export const LIMIT = NOW + 1 + 72 * HOUR - MINUTE;

/** Decides the next step of a subscription in the ledger of the test. */
export function deciding(ledger: TestLedger) {
  const decide = ({ subscriptionId }: Subscribed, at: Instant, followed: readonly AttemptNumber[] = [], revision = 0) =>
    decideNext(ledger.pool, subscriptionId, { at, followed, revision });

  const stepAt = async (given: Subscribed, at: Instant, followed: readonly AttemptNumber[] = []) => {
    const decided = await decide(given, at, followed);
    if (decided.kind !== 'decided') throw new Error(`nothing was decided: ${decided.kind}`);
    return decided.step;
  };

  /** Decides, and then repeats the decision once and ten times at once; the repetitions must write nothing. */
  const decideOnce = async (given: Subscribed, at: Instant) => {
    const before = await written(ledger.pool, given);
    const step = await stepAt(given, at);
    const after = await written(ledger.pool, given);
    expect(await stepAt(given, at)).toEqual(step);
    await Promise.all(Array.from({ length: 10 }, () => stepAt(given, at)));
    expect(await written(ledger.pool, given)).toEqual(after);
    return { step, after, ...since(before, after) };
  };

  const refuse = async (
    given: Subscribed,
    attempt = 0,
    state: 'rejected' | 'rejected_retryable' = 'rejected_retryable',
  ) => settle(ledger.pool, await startDebit(ledger.pool, sendOf(given, { attempt })), state);

  return { decide, stepAt, decideOnce, refuse };
}

export const ofCycle = ({ cycles }: Written, cycle: number) => cycles.find((each) => each['cycle'] === cycle);

export const named = (notices: Written['notices']) => notices.map(({ type, cycle, attempt }) => [type, cycle, attempt]);
