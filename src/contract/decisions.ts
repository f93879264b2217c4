import { type Instant, toIso } from '../domain/time';
import type { LedgerChange, SubscriptionPatch } from './activities';

/** What a decision writes besides the state's own projection. */
export type Decision = Pick<LedgerChange, 'events'> &
  Partial<Pick<LedgerChange, 'cycle' | 'notices' | 'judged' | 'steers'>> & {
    readonly hold?: SubscriptionPatch['hold'];
    readonly actor?: string;
  };

/** No attempt begins from here on; the payer is told. */
export function pausedDecision(until: Instant | null, reason: string | null): Decision {
  const data = { reason, until: until === null ? null : toIso(until) };
  return {
    events: [{ type: 'subscription.paused', data }],
    ...{ hold: 'pause', judged: true, steers: true },
    notices: [{ type: 'subscription.paused', cycle: null, attempt: null, data }],
  };
}

/** No attempt begins from here on; the end of the consent follows (rule 24). */
export function cancelRequestedDecision(reason: string | null): Decision {
  return {
    events: [{ type: 'subscription.cancel_requested', data: { reason } }],
    ...{ hold: 'cancel', judged: true, steers: true },
  };
}
