import type { AuthorizationId, CaptureId } from '../../src/domain/ids';
import type { Instant } from '../../src/domain/time';
import type { CollectPlan, CollectResult, Rejection } from '../../src/domain/subscription/state';
import type { Answer } from './life-script';

/** What the scripted service reads and changes of the life that it is part of. */
export interface World {
  readonly now: Instant;
  /** Whether the ledger stops the subscription, because it is paused or being cancelled. */
  readonly isStopped: boolean;
  consentGoneAt: Instant | null;
  passTo(instant: Instant): void;
  post(plan: CollectPlan, debits: boolean): void;
  /** Reports that nothing can be sent from now on, for this long. */
  hindered(lasts: number): void;
}

/** The end of the consent, with the refusal that revealed it. */
type ConsentGone = Extract<CollectResult, { kind: 'consent_ended' }> & {
  readonly refusal?: Omit<Rejection, 'attempt'>;
};

/** The result of an attempt in a life. */
export type Answered = Exclude<CollectResult, { kind: 'consent_ended' }> | ConsentGone;

export type Final = Extract<
  Answered,
  { kind: 'collected' | 'rejected' | 'capture_failed' | 'absent' | 'consent_ended' }
>;

export interface UnknownOutcome {
  readonly result: Final;
  readonly settledAt: Instant;
  readonly unresolvedAt: Instant | null;
}

/** The collecting activity and the service behind it, as a script has them answer. */
export class ScriptedService {
  private readonly answers: Answer[];
  private unsettled: UnknownOutcome | null = null;

  constructor(
    private readonly world: World,
    answers: readonly Answer[],
  ) {
    this.answers = [...answers];
  }

  get hasUnknownOutcome(): boolean {
    return this.unsettled !== null;
  }

  /** Makes an attempt as the collecting activity does, until it has a result. */
  attempt(plan: CollectPlan): Answered {
    for (;;) {
      if (this.world.now >= plan.sendBefore) return { kind: 'window_closed' };
      if (this.world.isStopped) return { kind: 'stopped' };
      if (this.world.consentGoneAt !== null) return { kind: 'consent_ended', by: 'payer', reason: null };
      const answer = this.answers.shift() ?? { kind: 'approved', finalAfter: 0 };
      const result = this.send(plan, answer);
      if (result !== null) return result;
    }
  }

  /** Carries out one answer of the script. @returns null if nothing was debited and the attempt may be sent again */
  private send(plan: CollectPlan, answer: Answer): Answered | null {
    const sentAt = this.world.now;
    switch (answer.kind) {
      case 'unreachable':
        this.world.hindered(answer.lasts);
        this.world.passTo(sentAt + answer.lasts);
        return null;
      case 'stranger': {
        this.world.hindered(answer.explainedAfter);
        this.unsettled = { result: { kind: 'absent' }, settledAt: sentAt + answer.explainedAfter, unresolvedAt: null };
        return { kind: 'unresolved', reason: 'an authorization that the ledger lacks' };
      }
      case 'consent_not_valid': {
        this.world.post(plan, false);
        this.world.consentGoneAt ??= sentAt;
        return consentGone(sentAt);
      }
      case 'approved':
      case 'capture_failed':
      case 'refused': {
        this.world.post(plan, answer.kind === 'approved');
        return this.poll(plan, this.final(answer, sentAt), sentAt + answer.finalAfter);
      }
      case 'lost':
        return this.sendIntoTheDark(plan, answer);
    }
  }

  private poll(plan: CollectPlan, result: Final, finalAt: Instant): Answered {
    this.world.passTo(Math.min(finalAt, plan.collectBy));
    if (this.world.now >= finalAt) return result;
    this.unsettled = { result, settledAt: finalAt, unresolvedAt: null };
    return { kind: 'pending', authorizationId: 'aut' as AuthorizationId };
  }

  private sendIntoTheDark(plan: CollectPlan, answer: Answer & { kind: 'lost' }): Answered | null {
    const sentAt = this.world.now;
    this.world.post(plan, answer.truth === 'approved');
    this.world.hindered(answer.settledAfter);
    const settledAt = sentAt + answer.settledAfter;
    const unresolvedAt = answer.unresolvedAfter === null ? null : sentAt + answer.unresolvedAfter;
    if (answer.truth === 'consent_gone') this.world.consentGoneAt ??= sentAt;
    const result = this.truth(answer.truth, sentAt);
    this.world.passTo(Math.min(settledAt, unresolvedAt ?? Infinity, plan.collectBy));
    if (this.world.now >= settledAt) return result.kind === 'absent' ? null : result;
    this.unsettled = { result, settledAt, unresolvedAt };
    const isUnresolved = unresolvedAt !== null && this.world.now >= unresolvedAt;
    return isUnresolved ? { kind: 'unresolved', reason: 'fits nothing' } : { kind: 'unknown' };
  }

  settle(plan: CollectPlan): Answered {
    const { unsettled } = this;
    if (unsettled === null) throw new Error(`asks what became of cycle ${plan.cycle}, of which no outcome is unknown`);
    const { unresolvedAt, settledAt } = unsettled;
    if (!plan.knownUnresolved && unresolvedAt !== null && unresolvedAt < settledAt) {
      this.world.passTo(unresolvedAt);
      return { kind: 'unresolved', reason: 'cannot be asked' };
    }
    this.world.passTo(settledAt);
    return this.takeUnknown().result;
  }

  takeUnknown(): UnknownOutcome {
    const { unsettled } = this;
    if (unsettled === null) throw new Error('no outcome is unknown');
    this.unsettled = null;
    return unsettled;
  }

  private truth(truth: (Answer & { kind: 'lost' })['truth'], at: Instant): Final {
    switch (truth) {
      case 'nothing':
        return { kind: 'absent' };
      case 'consent_gone':
        return consentGone(at);
      case 'approved':
        return this.final({ kind: 'approved', finalAfter: 0 }, at);
      case 'capture_failed':
        return this.final({ kind: 'capture_failed', finalAfter: 0 }, at);
      case 'refused':
      case 'refused_finally':
        return this.final({ kind: 'refused', retryable: truth === 'refused', finalAfter: 0 }, at);
    }
  }

  private final(answer: Answer & { kind: 'approved' | 'refused' | 'capture_failed' }, at: Instant): Final {
    const authorizationId = 'aut' as AuthorizationId;
    switch (answer.kind) {
      case 'approved':
        return { kind: 'collected', authorizationId, captureId: 'cap' as CaptureId, at };
      case 'capture_failed':
        return { kind: 'capture_failed', authorizationId, captureId: null, detail: 'CAPTURE_FAILED', at };
      case 'refused': {
        const detail = answer.retryable ? 'AUTHORIZATION_REJECTION_RETRYABLE' : 'AUTHORIZATION_REJECTED';
        return { kind: 'rejected', at, detail, description: '', retryable: answer.retryable };
      }
    }
  }
}

/** The result of a POST that was refused because the consent had ended. */
function consentGone(at: Instant): Final {
  const refusal = { at, detail: 'CONSENT_NOT_VALID', description: '', retryable: false };
  return { kind: 'consent_ended', by: 'payer', reason: null, refusal };
}
