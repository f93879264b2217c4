import { condition, patched } from '@temporalio/workflow';
import type { TakenId } from '../src/contract/activities';
import type { ResolveRequest } from '../src/contract/messages';
import { refuseResolve, conflict, type Refusal } from '../src/domain/subscription/requests';
import { settlingPlan } from '../src/domain/subscription/next-step';
import type { CollectPlan } from '../src/domain/subscription/state';
import { afterCollect } from '../src/domain/subscription/transitions';
import { resolveAttempt } from './activity-options';
import { resultDecision } from './ledger-changes';
import { failureOf, type SubscriptionContext } from './subscription-context';

/** A person's word on an attempt whose outcome the service does not tell (decisions 18). */
export class Resolving {
  constructor(private readonly context: SubscriptionContext) {}

  /** Words under way: accepted in their turn, and not answered yet. */
  private underWay = 0;

  /** Whether the attempt is still for the service to tell of; it is asked as long as that. */
  isOpen(plan: CollectPlan): boolean {
    return !plan.knownUnresolved || refuseResolve(this.context.state, plan.cycle) === null;
  }

  /**
   * Whether a person's word came before what the service told. One under way is waited for: only the ledger knows which
   * of the two it took, and what the service told may be older.
   */
  async hasDecided(plan: CollectPlan): Promise<boolean> {
    if (this.isOpen(plan) && this.underWay === 0) return false;
    if (!patched('a word under way is waited for')) return false;
    await condition(() => this.underWay === 0);
    return !this.isOpen(plan);
  }

  async run(request: ResolveRequest): Promise<void> {
    await this.context.turns.take(async () => {
      this.underWay += 1;
      try {
        await this.resolve(request);
      } finally {
        this.underWay -= 1;
      }
    });
  }

  /** Within a turn: nothing but what the ledger answers is waited for. */
  private async resolve(request: ResolveRequest): Promise<void> {
    const { context } = this;
    await this.recorded();
    context.refuse(refuseResolve(context.state, request.cycle));
    const plan = settlingPlan(context.state);
    if (plan === null) return;
    const { cycle, attempt, amount, dueAt, nextDueAt } = plan;
    const about = { cycle, attempt, amount, dueAt, nextDueAt };
    const result = await resolveAttempt({ ...context.reference, ...about, ...request });
    if (result.kind === 'stands') throw failureOf(refusalOf(plan, result.taken));
    // In a history of before words were waited for, the loop may have heard of it first.
    if (!this.isOpen(plan)) return;
    const before = context.state;
    context.update(afterCollect(before, plan, result));
    if (result.kind === 'collected') context.recorder.assumeCollected(plan);
    await context.record(resultDecision(before, context.state, plan, result) ?? { events: [] });
  }

  /** The ledger has the cycle as unresolved before it takes a word on it. */
  private async recorded(): Promise<void> {
    const { recorder } = this.context;
    if (!recorder.idle && patched('what is resolved is recorded first')) await condition(() => recorder.idle);
  }
}

function refusalOf({ cycle, attempt }: CollectPlan, taken: TakenId | undefined): Refusal {
  if (taken === undefined) return conflict('the service has told the outcome meanwhile');
  const { field, given } = taken;
  const whose = `${field} ${given} is that of cycle ${taken.cycle}, attempt ${taken.attempt}`;
  return conflict(
    `${whose}; expected one that no other attempt of the payment has, for cycle ${cycle}, attempt ${attempt}`,
  );
}
