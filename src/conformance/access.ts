import { bodyOf, text } from './exchange';
import type { Merchant } from './merchant';
import { connectionFault } from './outcome';

/** Below this the difference may be the way of the answer, or the header's whole seconds. */
const SMALLEST_SKEW = 3000;

/** Whether the service gives this merchant a token; and by how many real ms its clock is ahead, by its Date header. */
export async function checkToken(
  merchant: Merchant,
  realNow: number,
): Promise<{ readonly kind: 'given'; readonly skew: number } | { readonly kind: 'none'; readonly why: string }> {
  try {
    const answer = await merchant.requestToken();
    if (text(bodyOf(answer), 'access_token') === undefined) {
      return { kind: 'none', why: `no access token: the answer was ${answer.answer.status}` };
    }
    const ahead = Date.parse(String(answer.answer.headers['date'])) - realNow;
    return { kind: 'given', skew: Math.abs(ahead) >= SMALLEST_SKEW ? ahead : 0 };
  } catch (error) {
    const why = connectionFault(error);
    if (why === null) throw error;
    return { kind: 'none', why };
  }
}
