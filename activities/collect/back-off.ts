import { Context } from '@temporalio/activity';
import type { Clock } from '../../src/platform/clock';
import { isServiceFault, type RetryLater } from '../../src/domain/attempt/action';
import { type StoredBackOff, storeBackOff } from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { isStop, tryAgain } from '../stops';

type Waiting = Pick<Dependencies, 'ledger' | 'clock'>;

/**
 * How long an attempt has been unable to proceed, and when to check it again. The start is an instant in the ledger, not the age of
 * the activity: a `changed` signal that ends one activity and starts another resets neither a back-off nor a Retry-After.
 */
export interface BackOff {
  /** Real time. */
  readonly sinceReal: number;
  /** The back-off stored by a previous activity; null if there is none. */
  readonly stored: StoredBackOff | null;
  readonly keep: (deps: Waiting, key: string, stop: Pick<RetryLater, 'stop' | 'why' | 'wait'>) => Promise<void>;
}

/** A back-off that starts at this real time. */
export function waitFrom(sinceReal: number, stored: StoredBackOff | null = null): BackOff {
  return {
    sinceReal,
    stored,
    keep: ({ ledger, clock }, key, { stop, why, wait }) => {
      const notedReal = clock.realNow();
      return storeBackOff(ledger, key, { sinceReal, notedReal, againReal: notedReal + wait, stop, reason: why });
    },
  };
}

/** Continues the back-off that the previous activity stored, if this activity was scheduled before its end. */
export function continueBackOff({ clock }: Pick<Waiting, 'clock'>, stored: StoredBackOff | null): BackOff {
  const { scheduledTimestampMs, attempt } = Context.current().info;
  const now = clock.realNow();
  // The clock may have been set back since: a wrong clock must not make the cycle miss its window.
  if (stored === null || stored.notedReal > now || stored.againReal <= scheduledTimestampMs) {
    return waitFrom(scheduledTimestampMs);
  }
  // Later runs are started by Temporal once the wait has passed.
  return waitFrom(Math.min(stored.sinceReal, scheduledTimestampMs), attempt === 1 ? stored : null);
}

/**
 * Must be called before the service is called.
 * @throws ApplicationFailure with the reason for which the previous activity stopped, if it is too early to call again
 */
export function endIfEarly(clock: Clock, { stored }: BackOff): void {
  if (stored === null) return;
  const wait = stored.againReal - clock.realNow();
  // For a halt, or if another attempt blocks this one, the next check is of the ledger alone, and need not wait.
  const isOfService = isServiceFault(stored.stop) || stored.stop === 'pending' || stored.stop === 'outcome_unknown';
  if (wait <= 0 || !isOfService || !isStop(stored.stop)) return;
  throw tryAgain(stored.stop, stored.reason, wait);
}
