import type { AmountChange } from '../../domain/subscription/amount-request';
import { toIso } from '../../domain/time';
import type { PendingChange } from '../../domain/subscription/state';
import type { AmountChangeOut, PendingChangeOut } from '../schemas/amount-change';
import { isoOrNull, named } from './fields';

export function viewAmountChange(change: AmountChange, dryRun: boolean): AmountChangeOut {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  return {
    ...{ amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease },
    ...named('nextIncreaseAllowedFrom', isoOrNull(change.nextIncreaseAllowedFrom)),
    dryRun,
  };
}

export function viewPendingChange(change: PendingChange): PendingChangeOut {
  const { amount, previousAmount, fromCycle, effectiveAt, kind, countsAsIncrease } = change;
  const shown = { amount, previousAmount, fromCycle, effectiveAt: toIso(effectiveAt), kind, countsAsIncrease };
  return { ...shown, payerNotice: change.announcement.kind };
}
