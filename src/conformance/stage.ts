import { bodyOf, exchange, type Exchange, items, type Method, result, text } from './exchange';
import type { Merchant, MerchantTerms } from './merchant';
import { accepted, answered, CannotBeTried, Differs } from './outcome';
import { type PlanRequest, requestFor } from './requests';
import type { Bank, PayerAction, Trial, World } from './world';

/** Polls of something pending before a row gives up. */
const POLLS = 30;
const PAGE_TIMEOUT_MS = 10_000;

/** The environment of one row: payments of its own, created over the wire. */
export class Stage {
  /** What a reader should know besides the verdict, such as what the row could not observe. */
  readonly remarks: string[] = [];

  constructor(readonly world: World) {}

  remark(words: string): void {
    if (!this.remarks.includes(words)) this.remarks.push(words);
  }

  merchant(terms: MerchantTerms = {}): Promise<Merchant> {
    return this.world.merchant(terms);
  }

  /** The answer to a payment request, accepted or refused. */
  async request(wanted: PlanRequest, merchant?: Merchant): Promise<Exchange> {
    const who = merchant ?? (await this.merchant());
    return who.call('POST', '/payments', requestFor(wanted, await this.world.now(), this.world.lead));
  }

  /** A payment whose consent is pending. @throws Differs if the service does not accept the request */
  async open(wanted: PlanRequest, merchant?: Merchant): Promise<Trial> {
    const who = merchant ?? (await this.merchant());
    const answer = accepted(await this.request(wanted, who), 'a payment request');
    const body = bodyOf(answer);
    const paymentId = text(body, 'paymentId');
    if (paymentId === undefined) throw new Differs(answer, '"The response carries paymentId"; this one has none');
    const sent = JSON.parse(answer.request.body ?? '{}') as { returnURL: string; firstPaymentAt?: string };
    const firstPaymentAt = Date.parse(sent.firstPaymentAt ?? '');
    const redirectURL = text(body, 'redirectURL');
    return { paymentId, redirectURL, plan: wanted.plan, merchant: who, returnURL: sent.returnURL, firstPaymentAt };
  }

  /** A payment whose payer has approved. Its authorization, if its plan makes one by itself, may still be pending. */
  async approved(wanted: PlanRequest, options: { bank?: Bank; merchant?: Merchant } = {}): Promise<Trial> {
    const trial = await this.open(wanted, options.merchant);
    await this.act(trial, 'approve', options.bank);
    const consent = await this.final(trial, 'consent');
    if (result(bodyOf(consent)) !== 'successful') {
      throw new Differs(consent, `an approved consent should be successful; it was ${String(result(bodyOf(consent)))}`);
    }
    return trial;
  }

  act(trial: Trial, action: PayerAction, bank: Bank = 'pays'): Promise<void> {
    return this.world.act(trial, action, bank);
  }

  call(trial: Trial, method: Method, path: string, body?: unknown): Promise<Exchange> {
    return trial.merchant.call(method, path, body);
  }

  consent({ merchant, paymentId }: Trial): Promise<Exchange> {
    return merchant.call('GET', `/${encodeURIComponent(paymentId)}/consents`);
  }

  authorizations({ merchant, paymentId }: Trial): Promise<Exchange> {
    return merchant.call('GET', `/authorizations?paymentId=${encodeURIComponent(paymentId)}`);
  }

  captures({ merchant, paymentId }: Trial): Promise<Exchange> {
    return merchant.call('GET', `/captures?paymentId=${encodeURIComponent(paymentId)}`);
  }

  refunds({ merchant, paymentId }: Trial): Promise<Exchange> {
    return merchant.call('GET', `/${encodeURIComponent(paymentId)}/refunds`);
  }

  /** Polls until there are records of that kind and none is pending. @throws CannotBeTried if that takes too long */
  async final(trial: Trial, kind: 'consent' | 'authorizations' | 'captures' | 'refunds'): Promise<Exchange> {
    for (let poll = 0; poll < POLLS; poll += 1) {
      const answer = answered(await this[kind](trial), `a query for the ${kind}`);
      const records = kind === 'consent' ? [bodyOf(answer)] : items(bodyOf(answer));
      if (records.length > 0 && records.every((record) => result(record) !== 'pending')) return answer;
      await this.world.settle(trial);
      if (poll > 0) await this.world.rest();
    }
    throw new CannotBeTried(`the ${kind} stayed pending, or none came, for ${POLLS} polls`);
  }

  /** "Payer is redirected to the returnURL": requests the redirect address again. @throws Differs in the simulator */
  async returned({ redirectURL, returnURL }: Trial): Promise<void> {
    if (redirectURL === undefined) throw new CannotBeTried('the answer to the payment request had no redirectURL');
    const headers = { accept: 'text/html' };
    const page = await exchange({ method: 'GET', url: redirectURL, headers }, PAGE_TIMEOUT_MS);
    const { status, headers: answered } = page.answer;
    const isThere = status >= 300 && status < 400 && answered['location'] === returnURL;
    if (isThere) return;
    if (this.world.isSimulated) throw new Differs(page, `the payer's browser should be redirected to ${returnURL}`);
    this.remark('only a browser shows whether the payer was redirected to the returnURL');
  }

  /** Resolves once it is that instant for this payment, by the time of the service. */
  until(trial: Trial, instant: number): Promise<void> {
    return this.world.until(trial, instant);
  }
}
