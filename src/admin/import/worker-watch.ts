import type { AdoptOutcome, ImportOrder, SubscriptionGateway } from '../subscription-gateway';

/** Real ms that a line waits for its worker, once another one has waited in vain. */
const SHORT_PATIENCE_MS = 5_000;
/** Lines in a row without an answer, after which none is tried for a while. */
const MOST_SILENT = 16;
/** Real ms. */
const REST_MS = 30_000;

/** Nothing of the line is stored, and nobody was asked. */
export interface NotTried {
  readonly kind: 'not_tried';
}

/**
 * Hands the mandates of one file over, with patience as long as workers answer. Where they have gone, a file of any length
 * would otherwise wait for as long as a line may, at every line.
 */
export class WorkerWatch {
  private heardAt = -Infinity;
  private restUntil = -Infinity;
  private silent = 0;

  constructor(private readonly gateway: Pick<SubscriptionGateway, 'adopt'>) {}

  async adopt(order: ImportOrder): Promise<AdoptOutcome | NotTried> {
    const askedAt = performance.now();
    if (askedAt < this.restUntil) return { kind: 'not_tried' };
    const outcome = await this.gateway.adopt(order, this.silent === 0 ? undefined : SHORT_PATIENCE_MS);
    const now = performance.now();
    if (outcome.kind !== 'not_ready') this.hear(now);
    else if (this.heardAt < askedAt) this.missAnswer(now);
    return outcome;
  }

  private hear(now: number): void {
    [this.heardAt, this.restUntil, this.silent] = [now, -Infinity, 0];
  }

  /** Only where no other line was answered meanwhile: one that is slow says nothing of the workers. */
  private missAnswer(now: number): void {
    this.silent += 1;
    if (this.silent >= MOST_SILENT) this.restUntil = now + REST_MS;
  }
}
