import { setTimeout as pause } from 'node:timers/promises';
import type { AdminDeps } from '../../src/admin';
import {
  type AmountChangeRequest,
  type ChangeOutcome,
  createSteering,
  type CreateOutcome,
  type Steered,
  type Steering,
  type RequestOutcome,
  type SubscriptionWorkflows,
} from '../../src/temporal';
import { DAY } from '../../src/domain/time';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import type { Actor } from '../../src/domain/audit/event';
import {
  type Answers,
  type Frozen,
  insertDraft,
  openConsent,
  readDraft,
  type Request,
  type SteeringRequests,
  type SubscriptionDraft,
} from '../../src/ledger';

type Steer = (id: SubscriptionId, request: SteeringRequests[keyof SteeringRequests]) => Promise<Steered> | Steered;

const FROZEN: Frozen = { policy: { offsets: [DAY], transit: 60_000, gap: 0 }, spread: 0 };

/** Answers without notifications: they are read only at the start and the end of the wait. */
export const UNNOTIFIED: Answers = {
  async wait(_subject, read, isAnswer, until) {
    const answer = await read();
    if (isAnswer(answer)) return answer;
    await pause(Math.max(0, until - performance.now()));
    return read();
  },
};

/**
 * A fake of the workflows and the payment service. Creating opens the consent at once, in the real ledger, and requests are judged
 * and written by the real steering.
 */
export class FakeSubscriptions implements SubscriptionWorkflows {
  readonly created: (Actor & { draft: SubscriptionDraft })[] = [];
  readonly steered: { what: string; id: string; request: SteeringRequests[keyof SteeringRequests] | Request }[] = [];
  onCreate: (draft: SubscriptionDraft) => Promise<CreateOutcome> = (draft) => this.open(draft);
  onCheck: (id: SubscriptionId) => Promise<RequestOutcome> | RequestOutcome = () => ({ kind: 'done' });
  onRestart: (id: SubscriptionId) => Promise<RequestOutcome> | RequestOutcome = () => ({ kind: 'done' });
  /** What a workflow does once it is notified. */
  onNotify: (id: SubscriptionId, revision: number) => Promise<void> | void = () => undefined;
  readonly notified: { readonly id: string; readonly revision: number }[] = [];
  /** A verdict to return instead of the ledger's. */
  onSteer: Steer | null = null;
  onChange: (() => ChangeOutcome) | null = null;
  private readonly steering: Steering;

  constructor(
    private readonly db: AdminDeps['db'],
    clock: AdminDeps['clock'],
  ) {
    const notify = (id: SubscriptionId, revision: number) => this.notify(id, revision);
    this.steering = createSteering({ db, answers: UNNOTIFIED, clock, increaseNotice: 14 * DAY, cancelMs: 50, notify });
  }

  async create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome> {
    this.created.push({ draft, ...by });
    return this.onCreate(draft);
  }

  async open(draft: SubscriptionDraft): Promise<CreateOutcome> {
    const inserted = await insertDraft(this.db, draft, 0, FROZEN);
    if (inserted.kind === 'exists') return { kind: 'exists' };
    if (inserted.kind === 'replaced_by_another') return inserted;
    await this.requested(draft.subscriptionId);
    return { kind: 'created' };
  }

  /** Opens the consent session of a draft, as the service would. */
  async requested(subscriptionId: SubscriptionId): Promise<void> {
    const { draftedRealAt, createdAt } = (await readDraft(this.db, subscriptionId))!;
    await openConsent(this.db, {
      subscriptionId,
      draftedRealAt,
      paymentId: `pay_${subscriptionId}` as PaymentId,
      redirectURL: 'https://bank.example/approve',
      requestedRealAt: draftedRealAt,
      at: createdAt,
    });
  }

  async steer<V extends keyof SteeringRequests>(
    verb: V,
    id: SubscriptionId,
    request: SteeringRequests[V],
  ): Promise<Steered> {
    this.steered.push({ what: verb, id, request });
    return this.onSteer === null ? this.steering.steer(verb, id, request) : this.onSteer(id, request);
  }

  async checkConsent(id: SubscriptionId): Promise<RequestOutcome> {
    return this.onCheck(id);
  }

  async restart(id: SubscriptionId, request: Request): Promise<RequestOutcome> {
    this.steered.push({ what: 'restart', id, request });
    return this.onRestart(id);
  }

  async changeAmount(id: SubscriptionId, order: AmountChangeRequest): Promise<ChangeOutcome> {
    this.steered.push({ what: 'changeAmount', id, request: order });
    return this.onChange === null ? this.steering.changeAmount(id, order) : this.onChange();
  }

  async judgeAmount(id: SubscriptionId, order: AmountChangeRequest): Promise<ChangeOutcome> {
    this.steered.push({ what: 'judgeAmount', id, request: order });
    return this.onChange === null ? this.steering.judgeAmount(id, order) : this.onChange();
  }

  async notify(id: SubscriptionId, revision: number): Promise<void> {
    this.notified.push({ id, revision });
    await this.onNotify(id, revision);
  }
}

/** Throws the error with which steering fails while PostgreSQL cannot be reached. */
export function ledgerDown(): never {
  throw Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
}
