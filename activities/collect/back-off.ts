import { Context } from '@temporalio/activity';
import type { Clock } from '../../src/platform/clock';
import type { ComeBack } from '../../src/domain/attempt/action';
import { isOutside } from '../../src/domain/attempt/action';
import { type StoredBackOff, storeBackOff } from '../../src/ledger';
import type { Dependencies } from '../dependencies';
import { isStop, tryAgain } from '../stops';

type Waiting = Pick<Dependencies, 'ledger' | 'clock'>;

/**
 * How long nothing could be done for an attempt, and when to check again: an instant in the ledger, not the age of the activity. A
 * `changed` that ends one activity and starts another resets neither a back-off nor a Retry-After.
 */
export interface BackOff {
  /** Real time. */
  readonly sinceReal: number;
  /** What another activity has left to wait for; null if nothing. */
  readonly left: StoredBackOff | null;
  readonly keep: (deps: Waiting, key: string, stop: Pick<ComeBack, 'stop' | 'why' | 'pause'>) => Promise<void>;
}

/** A back-off that starts at this real time. */
export function waitFrom(sinceReal: number, left: StoredBackOff | null = null): BackOff {
  return {
    sinceReal,
    left,
    keep: ({ ledger, clock }, key, { stop, why, pause }) => {
      const notedReal = clock.realNow();
      return storeBackOff(ledger, key, { sinceReal, notedReal, againReal: notedReal + pause, stop, reason: why });
    },
  };
}

/** Continues the one that the activity before has left, if this one came before its end. */
export function continueBackOff({ clock }: Pick<Waiting, 'clock'>, stored: StoredBackOff | null): BackOff {
  const { scheduledTimestampMs, attempt } = Context.current().info;
  const now = clock.realNow();
  // The clock was set back since: that must not cost the date.
  if (stored === null || stored.notedReal > now || stored.againReal <= scheduledTimestampMs) {
    return waitFrom(scheduledTimestampMs);
  }
  // A run after the first is started by Temporal, once the pause has passed.
  return waitFrom(Math.min(stored.sinceReal, scheduledTimestampMs), attempt === 1 ? stored : null);
}

/**
 * Before the service is asked anything.
 * @throws ApplicationFailure with the stop that the activity before has met, if it is too early to ask again
 */
export function endIfEarly(clock: Clock, { left }: BackOff): void {
  if (left === null) return;
  const pause = left.againReal - clock.realNow();
  // What a halt or another attempt holds is asked of the ledger alone.
  const isOfService = isOutside(left.stop) || left.stop === 'pending' || left.stop === 'outcome_unknown';
  if (pause <= 0 || !isOfService || !isStop(left.stop)) return;
  throw tryAgain(left.stop, left.reason, pause);
}
