import { patched } from '@temporalio/workflow';
import { type Decision, pausedDecision, type PauseRequest, type Request } from '../../src/contract/messages';
import { currentPause } from '../../src/domain/subscription/pauses';
import { pause, type Refusal, refusePause, refuseResume, resume } from '../../src/domain/subscription/requests';
import type { SubscriptionState } from '../../src/domain/subscription/state';
import { type Instant, toIso } from '../../src/domain/time';
import { actorOf } from '../../src/domain/trail/event';
import { LEDGER_FIRST, type SubscriptionContext } from './context';

/** Pausing and resuming, asked for by a person or as agreed (rule 23). */
export class Pausing {
  constructor(private readonly context: SubscriptionContext) {}

  /** Null where it is paused now; the refusal where, when its turn came, it could not be. */
  pause(request: PauseRequest, verb?: 'pause'): Promise<Refusal | null> {
    const { until, reason } = request;
    const judge = (state: SubscriptionState) => {
      const now = this.context.now();
      const decision = pausedDecision(until, reason);
      return refusePause(state, until, now) ?? { state: pause(state, now, until), decision };
    };
    return this.context.steer(request, judge, verb);
  }

  /**
   * Null where it is resumed as of `at`, when it was accepted (rule 23): due dates from then on are collected, and only
   * their POST waits for the ledger.
   */
  async resume(request: Request, at: Instant, verb?: 'resume'): Promise<Refusal | null> {
    if (!patched(LEDGER_FIRST)) return this.resumeOnceRecorded(request, at);
    const judge = (state: SubscriptionState) =>
      refuseResume(state) ?? { state: resume(state, at), decision: this.resumed(request, at) };
    return this.context.steer(request, judge, verb);
  }

  /** As releases of before did, whose histories are to be repeated. */
  private async resumeOnceRecorded(request: Request, at: Instant): Promise<Refusal | null> {
    const { context } = this;
    return context.turns.take(async () => {
      const refusal = refuseResume(context.state);
      if (refusal !== null) return refusal;
      const decision = { ...actorOf(request), ...this.resumed(request, at), judged: true, steers: true };
      await context.recorder.write(context.now(), decision, () => resume(context.state, at));
      context.update(resume(context.state, at));
      // A cycle closed in between has been recorded with the state of before.
      if (context.recorder.lags(context.state)) await context.record({ events: [] });
      return null;
    });
  }

  private resumed({ reason }: Request, at: Instant): Decision {
    const since = currentPause(this.context.state)?.since ?? at;
    const data = { reason, at: toIso(at) };
    return {
      events: [{ type: 'subscription.resumed', data: { ...data, since: toIso(since) } }],
      hold: null,
      notices: [{ type: 'subscription.resumed', cycle: null, attempt: null, data }],
    };
  }
}
