import { setTimeout } from 'node:timers/promises';
import { SECOND } from '../../src/domain/time';
import { ask, askJson, type Said } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import type { Stage } from './stage';

interface Refused {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** 400 by default. */
  readonly status?: number;
  /** What the response must contain. */
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
    ...{ what: '60,000 pairs', method: 'POST', path: '/v1/subscriptions', says: 'at most 1100 values' },
    body: { metadata: pairs(60_000) },
  },
  {
    ...{ what: '9,000 pairs', method: 'POST', path: '/v1/subscriptions', says: 'at most 1100 values' },
    body: { metadata: pairs(9_000) },
  },
  {
    ...{ what: '60,000 lists in lists', method: 'POST', path: '/v1/subscriptions', says: '20 levels of nesting' },
    body: '{"metadata":' + '['.repeat(60_000) + ']'.repeat(60_000) + '}',
  },
  {
    ...{
      what: 'values under a duplicate field',
      method: 'POST',
      path: '/v1/subscriptions',
      says: 'at most 1100 values',
    },
    body: `{"metadata":[${'0,'.repeat(60_000)}0],"metadata":{}}`,
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

/** Checks that values which look valid but are dangerous are refused. */
export async function checkHardening({ url, keys }: Stage): Promise<readonly Check[]> {
  const wrong: string[] = [];
  for (const { what, method, path, body, status: expected = 400, says } of REFUSED) {
    const { status, text }: Said = await askJson(url, keys.admin, method, path, body);
    if (status !== expected || !text.includes(says)) wrong.push(`${what}: ${status} ${text.slice(0, 200)}`);
  }
  return [noneOf('hardening: texts, counts and addresses are refused by name', wrong, `${REFUSED.length} requests`)];
}

/** Requests of one key, and the connections that send them. */
const HEAVY = 16;
const CONNECTIONS = 4;
/** Real ms by which expensive bodies may delay 99 of 100 requests of other callers. */
const DELAYED_BY = SECOND;
/** Real ms for which other callers read without expensive bodies, for comparison, because a busy machine is slow, too. */
const WITHOUT = 3 * SECOND;

const HEAVY_BODIES: readonly (readonly [what: string, body: string])[] = [
  ['60,000 pairs', JSON.stringify({ metadata: pairs(60_000) })],
  ['9,000 pairs', JSON.stringify({ metadata: pairs(9_000) })],
  ['as much text as a body holds', JSON.stringify({ metadata: { note: '\u00e9'.repeat(500_000) } })],
];

/** Sends bodies that are as expensive as possible, at once with one key, and checks that other callers are still answered in time. */
export async function checkHeavy({ url, keys }: Stage): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const usual = slowestOf(await readUntil(setTimeout(WITHOUT), url, keys.viewer));
  for (const [what, body] of HEAVY_BODIES) {
    let sent = 0;
    const statuses = new Set<number>();
    const sending = async () => {
      for (; sent < HEAVY;) {
        sent += 1;
        statuses.add((await askJson(url, keys.operator, 'POST', '/v1/subscriptions', body)).status);
      }
    };
    const isSent = Promise.all(Array.from({ length: CONNECTIONS }, sending));
    const waits = await readUntil(isSent, url, keys.viewer);
    const slow = slowestOf(waits);
    checks.push({
      name: `heavy requests: others are answered meanwhile (${what})`,
      holds: slow <= usual + DELAYED_BY && [...statuses].every((status) => status === 400 || status === 413),
      found: `${HEAVY} were answered with ${[...statuses].join(', ')}; p99 of ${waits.length} others ${Math.round(slow)} ms, without them ${Math.round(usual)} ms`,
    });
  }
  return checks;
}

/** The 99th percentile. */
function slowestOf(waits: readonly number[]): number {
  return waits.toSorted((a, b) => a - b).at(Math.ceil(waits.length * 0.99) - 1) ?? Infinity;
}

/** Reads with another key until `end` is settled. @returns the real ms of each answer; infinite for one that is no 200 */
async function readUntil(end: Promise<unknown>, url: string, key: string): Promise<readonly number[]> {
  const over = new AbortController();
  const ended = end.finally(() => over.abort());
  const waits: number[] = [];
  do {
    const startedAt = performance.now();
    const { status } = await ask(url, { method: 'GET', path: '/v1/subscriptions?limit=1', key });
    waits.push(status === 200 ? performance.now() - startedAt : Infinity);
  } while (!over.signal.aborted);
  await ended;
  return waits;
}
