import type { ImportAccess, MandateService } from '../../src/admin/dependencies';
import type { PaymentId } from '../../src/domain/ids';
import { euros } from '../../src/domain/money';
import { DAY } from '../../src/domain/time';

type ConsentAnswer = Awaited<ReturnType<MandateService['getConsent']>>;
type ListAnswer = Awaited<ReturnType<MandateService['listAuthorizations']>>;

/** A fake payment service that has every mandate, with a consent of 19.99 EUR of which nothing has been collected. */
export class FakeMandates implements MandateService {
  /** The payments whose consents were read, in order. */
  readonly asked: string[] = [];
  onConsent: (paymentId: string) => Promise<ConsentAnswer> | ConsentAnswer = granted;
  onList: (paymentId: string) => Promise<ListAnswer> | ListAnswer = () => ({ kind: 'accepted', value: [] });

  as = <T>(_priority: string, work: () => Promise<T>): Promise<T> => work();

  async getConsent(paymentId: string): Promise<ConsentAnswer> {
    this.asked.push(paymentId);
    return this.onConsent(paymentId);
  }

  async listAuthorizations(paymentId: string): Promise<ListAnswer> {
    return this.onList(paymentId);
  }
}

export function granted(paymentId: string): ConsentAnswer {
  return { kind: 'accepted', value: { paymentId: paymentId as PaymentId, status: 'successful', amount: euros(1999) } };
}

export function importsBy(service: MandateService): ImportAccess {
  const retryPolicy = { offsets: [DAY], transit: 60_000, gap: 0 };
  return { service, retryPolicy, spreadSeconds: 0, increaseNotice: DAY };
}
