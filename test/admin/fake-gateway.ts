import type { AdminDeps } from '../../src/admin';
import type {
  AdoptOutcome,
  ChangeOrder,
  ChangeOutcome,
  CreateOutcome,
  ImportOrder,
  SteerOutcome,
  SubscriptionGateway,
} from '../../src/gateway';
import type { SteeringRequests, Verb } from '../../src/contract/messages';
import { dueAt, firstCycleFrom } from '../../src/domain/subscription/schedule';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import type { Actor } from '../../src/domain/trail/event';
import {
  adoptDraft,
  insertDraft,
  insertImportDraft,
  openConsent,
  readDraft,
  type SubscriptionDraft,
} from '../../src/ledger';

type Steer = (id: SubscriptionId, request: SteeringRequests[Verb]) => Promise<SteerOutcome> | SteerOutcome;

/** Stands where workflows and the payment service are: creating opens the consent at once, in the real ledger. */
export class FakeGateway implements SubscriptionGateway {
  readonly created: (Actor & { draft: SubscriptionDraft })[] = [];
  readonly steered: { what: string; id: string; request: SteeringRequests[Verb] }[] = [];
  onCreate: (draft: SubscriptionDraft) => Promise<CreateOutcome> = (draft) => this.open(draft);
  readonly adopted: ImportOrder[] = [];
  /** With which each was to be waited for. */
  readonly patience: (number | undefined)[] = [];
  /** Whether a worker polls for workflows. */
  isWorkedOn = true;
  onAdopt: (order: ImportOrder) => Promise<AdoptOutcome> = (order) => this.takeOver(order);
  onSteer: Steer = () => ({ kind: 'done' });
  onChange: () => ChangeOutcome = () => ({ kind: 'not_ready' });

  constructor(private readonly db: AdminDeps['db']) {}

  async create(draft: SubscriptionDraft, by: Actor): Promise<CreateOutcome> {
    this.created.push({ draft, ...by });
    return this.onCreate(draft);
  }

  hasWorker = async () => this.isWorkedOn;

  async adopt(order: ImportOrder, patienceMs?: number): Promise<AdoptOutcome> {
    this.adopted.push(order);
    this.patience.push(patienceMs);
    return this.onAdopt(order);
  }

  /** As if the service had the mandate just so. */
  async takeOver({ draft, lastIncreaseAt, adoption }: ImportOrder): Promise<AdoptOutcome> {
    const { subscriptionId, paymentId, amount, createdAt } = draft;
    const inserted = await insertImportDraft(this.db, draft, { same: true, otherDraftedBeforeReal: 0 });
    if (typeof inserted !== 'boolean') return { kind: 'replaced_by_another', other: inserted };
    if (!inserted) return { kind: 'taken', by: subscriptionId };
    const cycle = firstCycleFrom(draft, adoption.collectFrom);
    const adopted = await adoptDraft(this.db, {
      paymentId,
      terms: draft,
      amount,
      cycle,
      dueAt: dueAt(draft, cycle),
      ...adoption,
      at: createdAt,
      adopted: { consentAmount: draft.consentAmount, collectedOnce: true, lastIncreaseAt, warnings: [] },
    });
    return { kind: 'adopted', warnings: adopted!.warnings };
  }

  async open(draft: SubscriptionDraft): Promise<CreateOutcome> {
    const inserted = await insertDraft(this.db, draft, 0);
    if (inserted.kind === 'exists') return { kind: 'exists' };
    if (inserted.kind === 'replaced_by_another') return inserted;
    await this.requested(draft.subscriptionId);
    return { kind: 'created' };
  }

  /** The service opens the session of what has been drafted. */
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

  async steer<V extends Verb>(verb: V, id: SubscriptionId, request: SteeringRequests[V]): Promise<SteerOutcome> {
    this.steered.push({ what: verb, id, request });
    return this.onSteer(id, request);
  }

  changeAmount = (id: SubscriptionId, order: ChangeOrder) => this.change('changeAmount', id, order);
  judgeAmount = (id: SubscriptionId, order: ChangeOrder) => this.change('judgeAmount', id, order);
  notify = async (id: string, revision: number) => void this.told.push({ id, revision });
  readonly told: { readonly id: string; readonly revision: number }[] = [];

  private async change(what: string, id: SubscriptionId, request: ChangeOrder): Promise<ChangeOutcome> {
    this.steered.push({ what, id, request });
    return this.onChange();
  }
}
