import { z } from 'zod';
import { isTerminal, SUBSCRIPTION_STATUSES } from '../../domain/subscription/state';
import { type Instant, toIso } from '../../domain/time';
import type { CarriedState } from '../../ledger';
import type { AdminDeps } from '../dependencies';
import { InstantIn, MoneyIn } from '../http/fields';
import type { Fault } from '../http/problems';

const Cycle = z.int().min(0).max(100_000);
const MAX_CYCLES = 1_000;

/** What an export says of a subscription besides its terms. */
export const StateIn = z
  .strictObject({
    status: z.enum(SUBSCRIPTION_STATUSES).meta({ description: 'Only active and paused subscriptions are imported' }),
    pausedSince: InstantIn.optional(),
    pausedUntil: InstantIn.optional(),
    skippedCycles: z.array(Cycle).max(MAX_CYCLES).optional(),
    postponements: z
      .array(z.strictObject({ cycle: Cycle, until: InstantIn }))
      .max(MAX_CYCLES)
      .optional(),
    pendingAmountChange: z.strictObject({ amount: MoneyIn, fromCycle: Cycle }).optional(),
  })
  .meta({ id: 'ExportedState', description: 'What an installation had accepted for a subscription that it exported.' });

export type StateIn = z.output<typeof StateIn>;

/** Faults beyond the schema. */
export function stateFaults(state: Partial<StateIn> | undefined, now: Instant): Fault[] {
  if (state?.status === undefined) return [];
  const { status } = state;
  if (status !== 'active' && status !== 'paused') {
    const why = isTerminal(status) ? 'the subscription has ended' : 'its payer has not consented yet';
    return [{ path: 'state.status', message: `expected active or paused; got ${status}: ${why}` }];
  }
  return pauseFaults(state, now);
}

function pauseFaults({ status, pausedSince, pausedUntil }: Partial<StateIn>, now: Instant): Fault[] {
  if (status !== 'paused') {
    const message = 'expected no value unless state.status is paused';
    const given = Object.entries({ pausedSince, pausedUntil }).filter(([, value]) => value !== undefined);
    return given.map(([name]) => ({ path: `state.${name}`, message }));
  }
  const since = pausedSince ?? now;
  if (since > now) {
    return [
      {
        path: 'state.pausedSince',
        message: `expected a time not after now, ${toIso(now)}; got ${toIso(since)}`,
      },
    ];
  }
  if (pausedUntil === undefined || pausedUntil > since) return [];
  const message = `expected a time after ${toIso(since)}, the start of the pause; got ${toIso(pausedUntil)}`;
  return [{ path: 'state.pausedUntil', message }];
}

/** What has to be carried over with a line that has no faults; null if nothing. */
export function carriedBy(
  { state }: { readonly state?: StateIn | undefined },
  { clock, imports }: Pick<AdminDeps, 'clock' | 'imports'>,
): CarriedState | null {
  if (state === undefined) return null;
  const { status, pausedSince = clock.now(), pausedUntil = null, pendingAmountChange: change } = state;
  const { skippedCycles = [], postponements = [] } = state;
  const pause = status === 'paused' ? { since: pausedSince, until: pausedUntil } : null;
  if (pause === null && change === undefined && skippedCycles.length + postponements.length === 0) return null;
  const amountChange = change === undefined ? null : { ...change, announceAhead: imports.increaseNotice };
  return { pause, skippedCycles, postponements, amountChange };
}
