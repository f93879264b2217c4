import type { AdminDeps, CreateOutcome, SteerOutcome, SubscriptionGateway } from '../../src/admin';
import type { CycleRequest, PauseRequest, Request } from '../../src/contract/messages';
import type { PaymentId, SubscriptionId } from '../../src/domain/ids';
import { insertDraft, openConsent, type SubscriptionDraft } from '../../src/ledger';

type Steer = (id: SubscriptionId, request: Request) => Promise<SteerOutcome> | SteerOutcome;

/** Stands where workflows and the payment service are: creating opens the consent at once, in the real ledger. */
export class FakeGateway implements SubscriptionGateway {
  readonly created: { draft: SubscriptionDraft; actor: string }[] = [];
  readonly steered: { what: string; id: string; request: Request | PauseRequest | CycleRequest }[] = [];
  onCreate: (draft: SubscriptionDraft) => Promise<CreateOutcome> = (draft) => this.open(draft);
  onSteer: Steer = () => ({ kind: 'done' });

  constructor(private readonly db: AdminDeps['db']) {}

  async create(draft: SubscriptionDraft, actor: string): Promise<CreateOutcome> {
    this.created.push({ draft, actor });
    return this.onCreate(draft);
  }

  async open(draft: SubscriptionDraft): Promise<CreateOutcome> {
    const inserted = await insertDraft(this.db, draft, 0);
    if (inserted.kind === 'exists') return { kind: 'exists' };
    await openConsent(this.db, {
      subscriptionId: draft.subscriptionId,
      paymentId: `pay_${draft.subscriptionId}` as PaymentId,
      redirectURL: 'https://bank.example/approve',
      requestedRealAt: draft.draftedRealAt,
      at: draft.createdAt,
    });
    return { kind: 'created' };
  }

  pause = (id: SubscriptionId, request: PauseRequest) => this.steer('pause', id, request);
  resume = (id: SubscriptionId, request: Request) => this.steer('resume', id, request);
  cancel = (id: SubscriptionId, request: Request) => this.steer('cancel', id, request);
  checkConsent = (id: SubscriptionId, request: Request) => this.steer('checkConsent', id, request);
  skip = (id: SubscriptionId, request: CycleRequest) => this.steer('skip', id, request);
  retry = (id: SubscriptionId, request: CycleRequest) => this.steer('retry', id, request);
  acknowledge = (id: SubscriptionId, request: Request) => this.steer('acknowledge', id, request);

  private async steer(what: string, id: SubscriptionId, request: Request): Promise<SteerOutcome> {
    this.steered.push({ what, id, request });
    return this.onSteer(id, request);
  }
}
