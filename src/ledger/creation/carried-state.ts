import type { SubscriptionId } from '../../domain/ids';
import { actorOf } from '../../domain/audit/event';
import type { ChangeRequest } from '../../domain/subscription/amount-request';
import type { Refusal } from '../../domain/subscription/requests';
import type { Pause, Postponement, SubscriptionState } from '../../domain/subscription/state';
import type { Act } from '../audit/entries';
import { advance } from '../deciding/advance';
import { writeTransition } from '../deciding/changes';
import { readState } from '../deciding/facts';
import { JUDGES, type Judgement } from '../deciding/verbs';
import type { Db } from '../sql/statements';

/** What another installation had accepted for a mandate, and this one continues. */
export interface CarriedState {
  /** The pause in force. */
  readonly pause: Pause | null;
  readonly skippedCycles: readonly number[];
  readonly postponements: readonly Postponement[];
  readonly amountChange: (ChangeRequest & { readonly fromCycle: number }) | null;
}

interface Carried {
  readonly subscriptionId: SubscriptionId;
  /** The first cycle that is collected here. */
  readonly cycle: number;
  readonly carried: CarriedState;
}

/**
 * Applies what another installation had accepted, by the same rules as the requests themselves, to a mandate that was
 * inserted in this transaction. The payer was notified at that time, so no notice is created here; only a pending
 * increase is announced again.
 * @returns the first refusal, with the field in its path; the caller rolls back
 */
export async function carryState(db: Db, mandate: Carried, by: Act): Promise<Refusal | null> {
  const { subscriptionId } = mandate;
  for (const [index, { path, judge }] of stepsOf(mandate, by).entries()) {
    const before = await readState(db, subscriptionId, by.at);
    const judgement = judge(before);
    if (judgement === null) continue;
    if ('code' in judgement) return { ...judgement, path };
    const { after, decision } = judgement;
    const transition = { ...actorOf(by), key: `carried/${index}`, at: by.at, before, after };
    await writeTransition(db, { ...transition, decision: { ...decision, notices: [] } });
  }
  await advance(db, subscriptionId, by.at);
  return null;
}

interface Step {
  readonly path: string;
  readonly judge: (state: SubscriptionState) => Judgement;
}

/** The steps for what still concerns a cycle that is collected here. */
function stepsOf({ cycle: first, carried }: Carried, by: Act): Step[] {
  const request = { ...actorOf(by), reason: null };
  const { pause, amountChange } = carried;
  const steps: Step[] = [];
  if (amountChange !== null) {
    const change = { ...request, ...amountChange, fromCycle: Math.max(first, amountChange.fromCycle) };
    steps.push({ path: 'state.pendingAmountChange', judge: (state) => JUDGES.change_amount(state, change, by.at) });
  }
  for (const cycle of carried.skippedCycles.filter((each) => each >= first)) {
    steps.push({ path: 'state.skippedCycles', judge: (state) => JUDGES.skip(state, { ...request, cycle }, by.at) });
  }
  for (const { cycle, until } of carried.postponements.filter((each) => each.cycle >= first && each.until > by.at)) {
    const judge = (state: SubscriptionState) => JUDGES.postpone(state, { ...request, cycle, until }, by.at);
    steps.push({ path: 'state.postponements', judge });
  }
  if (pause !== null) {
    const { since, until } = pause;
    steps.push({ path: 'state.pausedUntil', judge: (state) => JUDGES.pause(state, { ...request, until }, since) });
  }
  return steps;
}
