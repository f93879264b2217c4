import { bodyOf, type Exchange, field, items, text } from '../exchange';
import { CannotBeTried, Differs, isRefused, same } from '../outcome';
import {
  BOTH_FLAGS,
  capture,
  captured,
  collect,
  collected,
  collectedTwice,
  expired,
  paid,
  refund,
  reserved,
  subscribed,
} from '../plays';
import { USUAL } from '../requests';
import { type Row, rowsOf } from '../row';
import { shaped } from '../shapes';
import type { Stage } from '../stage';
import { RETRYABLE } from './subscription-limits';

type Provoke = (stage: Stage) => Promise<Exchange>;

/** What dueday assumes because the reference says "HTTP status codes and the general error body shape: not shown". */
const REFUSALS: Readonly<Record<string, readonly [status: number, quote: string, provoke: Provoke]>> = {
  INVALID_REQUEST: [400, 'a malformed request', async (stage) => stage.request({ plan: 'SINGLE', cents: 0 })],
  UNAUTHENTICATED: [
    401,
    'a token that is missing or older than 300 seconds',
    async (stage) => (await stage.merchant()).callWith(null, 'GET', '/consents?paymentId=made-up'),
  ],
  FORBIDDEN: [
    403,
    'credentials of the other environment, or an address that is not on the list',
    async (stage) => (await stage.merchant({ environment: 'production' })).requestToken(),
  ],
  NOT_FOUND: [
    404,
    'an unknown payment',
    async (stage) => (await stage.merchant()).call('GET', '/consents?paymentId=made-up'),
  ],
  STATE_CONFLICT: [
    409,
    'a state that does not allow it',
    async (stage) => capture(stage, await stage.open({ plan: 'EVENT_DEPENDENT' }), USUAL),
  ],
  CONSENT_NOT_VALID: [
    409,
    'a payment of a subscription whose consent is not granted',
    async (stage) => collect(stage, await stage.open({ plan: 'SUBSCRIPTION' })),
  ],
  [RETRYABLE]: [
    422,
    "a rejection by the payer's bank",
    async (stage) => collect(stage, await subscribed(stage, 'MONTHLY', { bank: 'rejects once, retryable' })),
  ],
  AUTHORIZATION_REJECTION_FINAL: [
    422,
    "a rejection by the payer's bank that may not be retried",
    async (stage) => collect(stage, await subscribed(stage, 'MONTHLY', { bank: 'rejects for good' })),
  ],
  INTERVAL_NOT_MATCHED: [
    422,
    'a payment that does not fit the interval',
    async (stage) => {
      const trial = await subscribed(stage);
      await collected(stage, trial);
      return collect(stage, trial);
    },
  ],
  AMOUNT_NOT_ALLOWED: [
    422,
    'an amount that a rule of subscriptions does not allow',
    async (stage) => collect(stage, await subscribed(stage), USUAL - 1),
  ],
  RETRY_NOT_ALLOWED: [
    422,
    'one attempt too many after a failed authorization',
    async (stage) => {
      const trial = await subscribed(stage, 'MONTHLY', { bank: 'rejects always, retryable' });
      for (let n = 0; n < 4; n += 1) await collect(stage, trial);
      return collect(stage, trial);
    },
  ],
  CAPTURE_EXCEEDS_AUTHORIZATION: [
    422,
    'a capture above the authorized amount',
    async (stage) => capture(stage, await reserved(stage, BOTH_FLAGS), USUAL + 1),
  ],
  CAPTURE_PERIOD_ENDED: [
    422,
    'a capture after the validity',
    async (stage) => capture(stage, await expired(stage), USUAL),
  ],
  REFUND_EXCEEDS_CAPTURE: [
    422,
    'a refund above the captured amount',
    async (stage) => refund(stage, await paid(stage), USUAL + 1),
  ],
  CAPTURE_ID_REQUIRED: [
    422,
    'a refund that names none of several captures',
    async (stage) => {
      const trial = await collectedTwice(stage);
      await captured(stage, trial);
      return refund(stage, trial, 1);
    },
  ],
};

/** A refusal with another code or status differs; a request that is not refused at all belongs to another row. */
function judge(answer: Exchange, detail: string, status: number): void {
  if (!isRefused(answer)) throw new CannotBeTried('the request was not refused; the row of that rule says so');
  const isBanksWord = text(bodyOf(answer), 'detail') === RETRYABLE;
  if (isBanksWord && detail !== RETRYABLE) {
    throw new CannotBeTried("the payer's bank was asked first; the row of that rule says so");
  }
  shaped(answer, 'failure', status);
  same(answer, 'the detail', text(bodyOf(answer), 'detail'), detail);
}

export const ASSUMPTIONS: readonly Row[] = [
  ...rowsOf(
    'Errors',
    Object.fromEntries(
      Object.entries(REFUSALS).map(([detail, [status, quote, provoke]]) => [
        `assumptions/${detail.toLowerCase().replaceAll('_', '-')}`,
        [
          `${quote}: ${status} and {"result": "FAILED", "detail": "${detail}", "description": …}`,
          async (stage: Stage) => judge(await provoke(stage), detail, status),
        ] as const,
      ]),
    ),
    'assumption',
  ),
  ...rowsOf(
    'Authentication',
    {
      'assumptions/token-request': [
        'OAuth 2.0 client credentials with HTTP Basic: {"access_token": …, "token_type": "Bearer", "expires_in": 300}',
        async (stage) => shaped(await (await stage.merchant()).requestToken(), 'token', 200),
      ],
    },
    'assumption',
  ),
  ...rowsOf(
    'Resources and their fields',
    {
      'assumptions/minor-units': [
        'money is {"value": 4000, "currency": "EUR"} for 40.00 EUR',
        async (stage) => {
          const answer = await stage.final(await reserved(stage), 'authorizations');
          const [record] = items(bodyOf(answer));
          const amount = { value: field(record, 'amount', 'value'), currency: field(record, 'amount', 'currency') };
          same(answer, 'the amount of the authorization', amount, { value: USUAL, currency: 'EUR' });
        },
      ],
      'assumptions/cancel-again': [
        'cancelling a subscription again answers 200 again',
        async (stage) => {
          const trial = await subscribed(stage);
          for (let n = 0; n < 2; n += 1) {
            shaped(await stage.call(trial, 'DELETE', `/${trial.paymentId}/consents`), 'consent', 200);
          }
        },
      ],
      'assumptions/no-idempotency-key': [
        'an authorization is in the list as soon as the POST that created it is answered',
        async (stage) => {
          const trial = await subscribed(stage);
          const made = await collect(stage, trial);
          const id = text(bodyOf(made), 'authorizationId');
          const listed = await stage.authorizations(trial);
          const ids = items(bodyOf(listed)).map((one) => text(one, 'authorizationId'));
          if (id === undefined || !ids.includes(id))
            throw new Differs(listed, `the list should hold the authorization ${String(id)}`);
        },
      ],
    },
    'assumption',
  ),
];
