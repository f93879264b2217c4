import type { ContradictionOrder } from '../../../src/sandbox';
import {
  createApproved,
  BOOKING,
  type Answer,
  type AnswerBody,
  euros,
  openShop,
  type Shop,
  subscriptionRequest,
} from '../merchant';

/** A shop with one subscription that is due now, at a service that contradicts itself. */
export class Liar {
  private constructor(
    readonly shop: Shop,
    readonly paymentId: string,
  ) {}

  static async open(...orders: readonly ContradictionOrder[]): Promise<Liar> {
    const shop = await openShop({ brokenRules: ['one-debit-per-date'], eventDependentRefunds: true });
    const liar = new Liar(shop, await createApproved(shop, subscriptionRequest({ repetition: 'WEEKLY' })));
    for (const order of orders) await liar.order(order);
    return liar;
  }

  /** A contradiction about this payment alone. */
  order(order: ContradictionOrder): Promise<Answer> {
    const { match = {}, ...rest } = order;
    return this.shop.post('/_sandbox/faults', { ...rest, match: { paymentId: this.paymentId, ...match } });
  }

  collect(): Promise<Answer> {
    return this.shop.post(`/${this.paymentId}/authorizations`, { amount: euros(1999) });
  }

  /** The service's list: id and state of each record. */
  async listed(on: 'authorizations' | 'captures' | 'refunds' = 'authorizations'): Promise<readonly AnswerBody[]> {
    const path = on === 'refunds' ? `/${this.paymentId}/refunds` : `/${on}?paymentId=${this.paymentId}`;
    return (await this.shop.get(path)).body.items;
  }

  async states(on: 'authorizations' | 'captures' | 'refunds' = 'authorizations'): Promise<readonly string[]> {
    return (await this.listed(on)).map(({ status }) => status.result);
  }

  /** The states of the debits in the service's own records, whatever its answers say. */
  debits(): readonly string[] {
    return this.shop.sandbox.debits().map(({ status }) => status);
  }

  /** Collects this many weekly cycles, each on its due date; business time is then that of the last one. */
  async collectWeeks(weeks: number): Promise<void> {
    for (let week = 0; week < weeks; week += 1) {
      if (week > 0) this.shop.clock.travelTo(this.shop.clock.now() + WEEK);
      await this.collect();
      this.shop.clock.pass(BOOKING);
    }
  }

  close(): Promise<void> {
    return this.shop.close();
  }
}

export const WEEK = 7 * 86_400_000;
