import type { AdminDeps } from '../../src/admin';
import type { CreateOutcome, OrderRun, PaymentWorkflows, PaymentVerb, RequestOutcome } from '../../src/temporal';
import type { ChangedPayment } from '../../src/contract/payments';
import type { PaymentId } from '../../src/domain/ids';
import {
  insertLinkDraft,
  insertPaymentDraft,
  type LinkDraft,
  openPayment,
  type OrderedCapture,
  type PaymentDraft,
  type PaymentRecord,
} from '../../src/ledger';

type Run = (capture: OrderedCapture) => Promise<OrderRun> | OrderRun;
type Steer = (payment: PaymentRecord) => Promise<RequestOutcome> | RequestOutcome;

/** Replaces the workflows and the payment service: creating opens the session at once, in the real ledger. */
export class FakePayments implements PaymentWorkflows {
  readonly created: PaymentDraft[] = [];
  readonly ran: OrderedCapture[] = [];
  readonly started: OrderedCapture[] = [];
  readonly notified: ChangedPayment[] = [];
  readonly steered: { readonly what: PaymentVerb; readonly payment: PaymentRecord }[] = [];
  readonly createdLinks: LinkDraft[] = [];
  onCreateLink: (draft: LinkDraft) => Promise<CreateOutcome> = (draft) => this.openLink(draft);
  onCreate: (draft: PaymentDraft) => Promise<CreateOutcome> = (draft) => this.open(draft);
  onRun: Run = () => ({ kind: 'running' });
  onStart: Run = () => ({ kind: 'running' });
  onSteer: Steer = () => ({ kind: 'done' });

  constructor(private readonly db: AdminDeps['db']) {}

  async create(draft: PaymentDraft): Promise<CreateOutcome> {
    this.created.push(draft);
    return this.onCreate(draft);
  }

  async createLink(draft: LinkDraft): Promise<CreateOutcome> {
    this.createdLinks.push(draft);
    return this.onCreateLink(draft);
  }

  async openLink(draft: LinkDraft): Promise<CreateOutcome> {
    const drafted = await insertLinkDraft(this.db, draft, 0);
    if (drafted.kind === 'not_allowed') return drafted;
    if (drafted.kind === 'exists') return { kind: 'exists' };
    await this.openSession(draft);
    return { kind: 'created' };
  }

  async open(draft: PaymentDraft): Promise<CreateOutcome> {
    if (!(await insertPaymentDraft(this.db, draft, 0))) return { kind: 'exists' };
    await this.openSession(draft);
    return { kind: 'created' };
  }

  private async openSession(draft: Pick<PaymentDraft, 'requestId' | 'draftedRealAt' | 'createdAt'>): Promise<void> {
    await openPayment(this.db, {
      requestId: draft.requestId,
      draftedRealAt: draft.draftedRealAt,
      paymentId: `at-service:${draft.requestId}` as PaymentId,
      redirectURL: 'https://bank.example/approve',
      requestedRealAt: draft.draftedRealAt,
      at: draft.createdAt,
    });
  }

  async steer(what: PaymentVerb, payment: PaymentRecord): Promise<RequestOutcome> {
    this.steered.push({ what, payment });
    return this.onSteer(payment);
  }

  async notify(changed: ChangedPayment): Promise<void> {
    this.notified.push(changed);
  }

  async runCapture(capture: OrderedCapture): Promise<OrderRun> {
    this.ran.push(capture);
    return this.onRun(capture);
  }

  async startCapture(capture: OrderedCapture): Promise<OrderRun> {
    this.started.push(capture);
    return this.onStart(capture);
  }
}
