import { isAmountGuarded } from '../../domain/approvals';
import type { SubscriptionId } from '../../domain/ids';
import type { AmountChange } from '../../domain/subscription/amount-request';
import { actorOf } from '../../domain/audit/event';
import type { AmountChangeRequest, ChangeOutcome } from '../../temporal';
import { insertEvent, type SubscriptionRecord } from '../../ledger';
import { requireApproval } from '../approvals/require';
import type { AdminDeps, TypedApp } from '../dependencies';
import { callerOf } from '../http/caller';
import { invalidRequest, ERROR_RESPONSES } from '../http/problems';
import { problemOf, requestBy } from './steering';
import { requireChangeWithin } from '../access/powers';
import { findSubscription, showSubscription } from './read';
import { amountFaults } from './rules';
import { AmountChangeOut, ChangeAmountBody, OF_SUBSCRIPTION, STEERING_NEEDS } from './schema';
import { checkUnlessDone, refuseTerminal, steer } from './carry-out';

/** `POST /subscriptions/{id}/amount-changes` and `DELETE …/amount-changes/pending` (rules 19 to 21). */
export function changeAmountRoutes(app: TypedApp, deps: AdminDeps): void {
  app.post(
    '/subscriptions/:id/amount-changes',
    {
      config: { ...STEERING_NEEDS['amount-change'], asks: 'change_amount', approvable: true },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'changeAmount',
        summary: 'Changes the amount of a subscription from a given cycle on; with dryRun, only shows the effect',
        body: ChangeAmountBody,
        response: { 200: AmountChangeOut, ...ERROR_RESPONSES },
      },
    },
    async (request) => {
      const { amount, fromCycle = null, dryRun } = request.body;
      const { id } = request.params;
      const change = { ...requestBy(request, request.body), amount, fromCycle };
      const before = await findChangeable(deps, id, change);
      const { amount: previousAmount } = before;
      const difference = Math.abs(amount.value - previousAmount.value);
      requireChangeWithin(callerOf(request), difference);
      const judge = async () => deps.subscriptions.judgeAmount(id, change);
      if (dryRun) return { ...changeOf(await judge()), dryRun };
      if (isAmountGuarded(deps.policy, difference)) {
        // Do not ask for approval of what a rule forbids.
        await changeOrRecordRefusal(deps, before, change, await judge());
        await requireApproval(deps, request, { subscriptionId: id, amount, facts: { previousAmount, fromCycle } });
      }
      const outcome = await deps.subscriptions.changeAmount(id, change);
      return { ...(await changeOrRecordRefusal(deps, before, change, outcome)), dryRun };
    },
  );
  app.delete(
    '/subscriptions/:id/amount-changes/pending',
    {
      config: { role: 'operator', scope: 'subscriptions:steer', asks: 'withdraw_change' },
      schema: {
        ...OF_SUBSCRIPTION,
        operationId: 'withdrawAmountChange',
        summary: 'Withdraws a pending change of the amount of a subscription',
      },
    },
    async (request) => {
      const before = await findSubscription(deps.db, request.params.id);
      const asked = requestBy(request, null);
      await checkUnlessDone(deps, 'withdraw_change', before.subscriptionId, asked, () => refuseTerminal(before));
      await steer(deps, 'withdraw_change', before.subscriptionId, asked);
      return showSubscription(deps, request, before.subscriptionId);
    },
  );
}

/** Carries out a change of amount that needs no approval of its own. @throws Problem unless it was carried out */
export async function carryOutChange(deps: AdminDeps, id: SubscriptionId, change: AmountChangeRequest): Promise<void> {
  const before = await findChangeable(deps, id, change);
  await changeOrRecordRefusal(deps, before, change, await deps.subscriptions.changeAmount(id, change));
}

/** @throws Problem if the amount is outside the limits of the installation, or the subscription has ended */
async function findChangeable(deps: AdminDeps, id: SubscriptionId, { amount }: AmountChangeRequest) {
  const faults = amountFaults({ amount }, deps.policy);
  if (faults.length > 0) throw invalidRequest(faults);
  const before = await findSubscription(deps.db, id);
  refuseTerminal(before);
  return before;
}

/** @throws Problem if the change is not allowed */
function changeOf(outcome: ChangeOutcome): AmountChange {
  if (outcome.kind === 'changed') return outcome.change;
  throw problemOf(outcome);
}

/**
 * Returns the change. If a rule forbids it, writes an audit entry first, because a refusal is a decision.
 * @throws Problem if the change is not allowed
 */
async function changeOrRecordRefusal(
  deps: AdminDeps,
  before: SubscriptionRecord,
  { amount, fromCycle, ...by }: AmountChangeRequest,
  outcome: ChangeOutcome,
): Promise<AmountChange> {
  if (outcome.kind === 'refused' && outcome.verdict !== undefined) {
    const { rule, highestAllowed } = outcome.verdict;
    await insertEvent(deps.db, {
      subscriptionId: before.subscriptionId,
      at: deps.clock.now(),
      ...actorOf(by),
      type: 'amount_change.refused',
      data: { amount, fromCycle, rule, highestAllowed, message: outcome.message },
    });
  }
  return changeOf(outcome);
}
