import type { ResolveRequest } from '../src/contract/messages';
import { refuseResolve } from '../src/domain/cycle-requests';
import { settlingPlan } from '../src/domain/next-step';
import { conflict } from '../src/domain/requests';
import type { CollectPlan } from '../src/domain/subscription';
import { afterCollect } from '../src/domain/transitions';
import { resolveAttempt } from './activity-options';
import { resultDecision } from './ledger-changes';
import { failureOf, type SubscriptionContext } from './subscription-context';

/** A person's word on an attempt whose outcome the service does not tell (decisions 18). */
export class Resolving {
  constructor(private readonly context: SubscriptionContext) {}

  /** Whether the attempt is still for the service to tell of; it is asked as long as that. */
  isOpen(plan: CollectPlan): boolean {
    return !plan.knownUnresolved || refuseResolve(this.context.state, plan.cycle) === null;
  }

  async run(request: ResolveRequest): Promise<void> {
    const { context } = this;
    await context.turns.take(async () => {
      context.refuse(refuseResolve(context.state, request.cycle));
      const plan = settlingPlan(context.state);
      if (plan === null) return;
      const { cycle, attempt, amount, dueAt, nextDueAt } = plan;
      const about = { cycle, attempt, amount, dueAt, nextDueAt };
      const result = await resolveAttempt({ ...context.reference, ...about, ...request });
      if (result.kind === 'stands') throw failureOf(conflict('the service has told the outcome meanwhile'));
      // The loop may have heard of it first: the ledger told it the same.
      if (!this.isOpen(plan)) return;
      const before = context.state;
      context.update(afterCollect(before, plan, result));
      if (result.kind === 'collected') context.recorder.assumeCollected(plan);
      await context.record(resultDecision(before, context.state, plan, result) ?? { events: [] });
    });
  }
}
