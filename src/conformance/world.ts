import type { Clock } from '../platform/clock';
import { bodyOf, text } from './exchange';
import type { Merchant, MerchantTerms } from './merchant';
import { connectionFault } from './outcome';

/** Real ms. A smaller difference may be the header's whole seconds. */
const SMALLEST_SKEW = 3000;

/**
 * Whether the service gives this merchant a token; and by how many real ms the service's clock is certainly ahead according to its
 * Date header, or behind if negative, however long the answer took.
 */
export async function checkToken(
  merchant: Merchant,
  clock: Clock,
): Promise<{ readonly kind: 'given'; readonly skew: number } | { readonly kind: 'none'; readonly why: string }> {
  try {
    const askedAt = clock.realNow();
    const answer = await merchant.requestToken();
    const answeredAt = clock.realNow();
    if (text(bodyOf(answer), 'access_token') === undefined) {
      return { kind: 'none', why: `no access token: the answer was ${answer.answer.status}` };
    }
    // The service wrote the header at some instant between the two.
    const shown = Date.parse(String(answer.answer.headers['date']));
    const ahead = shown > answeredAt ? shown - answeredAt : Math.min(0, shown - askedAt);
    return { kind: 'given', skew: Math.abs(ahead) >= SMALLEST_SKEW ? ahead : 0 };
  } catch (error) {
    const why = connectionFault(error);
    if (why === null) throw error;
    return { kind: 'none', why };
  }
}

export type Plan = 'SINGLE' | 'EVENT_DEPENDENT' | 'SUBSCRIPTION';

/** What a payer can do. `cancel`: withdraw a granted consent at their bank. */
export type PayerAction = 'approve' | 'decline' | 'abort' | 'cancel';

/** How the payer's bank decides the authorizations after an approval. */
export type Bank = 'pays' | 'rejects once, retryable' | 'rejects always, retryable' | 'rejects for good';

/** A payment that a row has created. */
export interface Trial {
  readonly paymentId: string;
  readonly redirectURL: string | undefined;
  readonly plan: Plan;
  readonly merchant: Merchant;
  readonly returnURL: string;
  /** Epoch ms; NaN unless it is a subscription. */
  readonly firstPaymentAt: number;
}

/**
 * What a merchant cannot do over the wire: let the payer act, let time pass, be another merchant. The simulator's
 * control routes do these things, or an operator. Each method throws CannotBeTried if neither can.
 */
export interface World {
  /** Who does these things, for the report. */
  readonly name: string;
  /** The distance to a limit in business ms: a request that must be in time is sent this long before it, one that must be late this long after. */
  readonly margin: number;
  /** Business ms from a request until a subscription's first payment: longer than a row takes to start. */
  readonly lead: number;
  /** Rows played at the same time. */
  readonly lanes: number;
  /** Whether it is dueday's own simulator: its payer page redirects without a browser, and its payer can also try to act too late. */
  readonly isSimulated: boolean;
  merchant(terms: MerchantTerms): Promise<Merchant>;
  act(trial: Trial, action: PayerAction, bank: Bank): Promise<void>;
  /** The service's time, epoch ms. */
  now(): Promise<number>;
  /** Returns once it is `instant` for this payment, by the service's time. */
  until(trial: Trial, instant: number): Promise<void>;
  /** Lets real seconds pass for this payment, such as those of its consent session. */
  pass(trial: Trial, seconds: number): Promise<void>;
  /** Lets an access token grow older by real seconds. */
  age(token: string, seconds: number): Promise<void>;
  /** Speeds up what is pending, if that is possible. */
  settle(trial: Trial): Promise<void>;
  /** Waits between two polls of something pending. */
  rest(): Promise<void>;
}
