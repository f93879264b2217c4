import { askJson, type Said } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import type { Stage } from './stage';

interface Refused {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** Of the answer, beside 400. */
  readonly says: string;
}

const endpoint = (host: string): Refused => ({
  ...{ what: `an endpoint at ${host}`, method: 'POST', path: '/v1/webhook-endpoints', says: '"url"' },
  body: { url: `https://${host}/`, types: ['*'] },
});

const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']));

const REFUSED: readonly Refused[] = [
  { what: 'NUL in a query', method: 'GET', path: '/v1/attention?assignee=%00', says: '"assignee"' },
  { what: 'NUL in a path', method: 'GET', path: '/v1/payers/a%00b', says: '"reference"' },
  {
    ...{ what: 'a holder in other letters', method: 'POST', path: '/v1/keys', says: '"holder"' },
    body: { name: 'of two letters', role: 'viewer', holder: '\u0410da Byron' },
  },
  {
    ...{ what: '60,000 pairs', method: 'POST', path: '/v1/subscriptions', says: 'at most 1000 values' },
    body: { metadata: pairs(60_000) },
  },
  {
    ...{ what: '500,000 lists in lists', method: 'POST', path: '/v1/subscriptions', says: '20 levels of nesting' },
    body: '{"metadata":' + '['.repeat(500_000) + ']'.repeat(500_000) + '}',
  },
  {
    ...{
      what: 'values under a duplicate field',
      method: 'POST',
      path: '/v1/subscriptions',
      says: 'at most 1000 values',
    },
    body: `{"metadata":[${'0,'.repeat(500_000)}0],"metadata":{}}`,
  },
  ...[
    '[::8.8.8.8]',
    '[::ffff:0:8.8.8.8]',
    '[2001::1]',
    '[2001:db8::1]',
    '192.88.99.1',
    '203.0.113.7',
    '168.63.129.16',
  ].map(endpoint),
];

/** What must not pass although it has the form of what may. */
export async function checkHardening({ url, keys }: Stage): Promise<readonly Check[]> {
  const wrong: string[] = [];
  for (const { what, method, path, body, says } of REFUSED) {
    const { status, text }: Said = await askJson(url, keys.admin, method, path, body);
    if (status !== 400 || !text.includes(says)) wrong.push(`${what}: ${status} ${text.slice(0, 200)}`);
  }
  return [noneOf('hardening: texts, counts and addresses are refused by name', wrong, `${REFUSED.length} requests`)];
}
