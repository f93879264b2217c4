import fc from 'fast-check';
import { HOUR, toIso } from '../../src/domain/time';
import { ask, askJson, askWhenReady, bodyOf, type Said } from './ask';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { type Description, readDescription } from './description';
import { Judge } from './judge';
import { type Drawn, requestsOf } from './requests';
import { makeKey, OPENED_AT, type Stage } from './stage';
import { type Kind, PLACE } from './values';

export interface GeneratedOrder {
  /** The number of generated requests, which are sent one after the other, so that each finds the effects of earlier ones. */
  readonly requests: number;
  readonly seed: number;
}

/** Requests drawn from the description, by each role, whole and spoilt: no 5xx, and nothing that is not described. */
export async function checkGenerated(stage: Stage, order: GeneratedOrder): Promise<readonly Check[]> {
  const description = readDescription((await ask(stage.url, { method: 'GET', path: '/openapi.json', key: null })).text);
  const judge = new Judge(description);
  const ids = await idsOf(stage);
  const drawn = fc.sample(requestsOf(description), { numRuns: order.requests, seed: order.seed });
  const wrong: string[] = [];
  const counts = new Map<number, number>();
  const succeeded = new Set<string>();
  for (const [at, each] of drawn.entries()) {
    const sent = sendable(each, ids);
    const said = await send(stage, each, sent);
    const fault = judge.wrongIn(each.operation, each.role, said, each.twist === 'an odd path');
    const { operationId, method } = each.operation;
    if (fault !== null)
      wrong.push(
        `request ${at} (${each.twist}, ${each.role ?? 'no key'}), ${operationId}, ${method} ${abridged(sent.path)} ${abridged(sent.body ?? '')}: ${fault}`,
      );
    const kind = Math.floor(said.status / 100);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind === 2) succeeded.add(operationId);
  }
  const told = [...counts]
    .toSorted()
    .map(([kind, times]) => `${times} x ${kind}xx`)
    .join(', ');
  return [
    noneOf(`${drawn.length} generated requests are answered as described, seed ${order.seed}`, wrong, told),
    reached(description, succeeded),
  ];
}

/**
 * The least share of all operations that must succeed; the others need the response of another call, such as a token, or a second
 * person.
 */
const MIN_REACHED = 0.6;

/** Checks how many operations succeeded: a campaign whose requests are all refused would show little. */
function reached({ operations }: Description, succeeded: ReadonlySet<string>): Check {
  const never = operations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id));
  return {
    name: 'generated requests reach most operations',
    holds: succeeded.size >= MIN_REACHED * operations.length,
    found: `${succeeded.size} of ${operations.length} have succeeded, all but ${never.join(', ')}`,
  };
}

interface Sendable {
  readonly path: string;
  readonly body: string | undefined;
}

type Ids = Readonly<Record<Kind, readonly string[]>>;

const MAX_SHOWN_LENGTH = 200;
const ENDPOINTS = 3;
const KEYS = 3;

/** Ids of records that may be read, changed and removed. */
async function idsOf({ url, keys, payments }: Stage): Promise<Ids> {
  const spare = Array.from({ length: KEYS }, (_, n) => makeKey(url, keys.admin, 'viewer', [], `spare ${n}`));
  const done = <T>(method: string, path: string, body?: object) =>
    bodyOf<T>(askJson(url, keys.admin, method, path, body));
  const endpoint = { url: 'http://127.0.0.1:1/events', types: ['*'] };
  const endpoints = Array.from({ length: ENDPOINTS }, () =>
    done<{ endpointId: string }>('POST', '/v1/webhook-endpoints', endpoint),
  );
  const period = { from: toIso(OPENED_AT), to: toIso(OPENED_AT + HOUR) };
  const { jobId } = await done<{ jobId: string }>('POST', '/v1/reports/reconciliation', period);
  const { items } = await done<{ items: { id: string }[] }>('GET', '/v1/events?limit=2');
  return {
    payment: payments,
    key: (await Promise.all(spare)).map(({ keyId }) => keyId),
    endpoint: (await Promise.all(endpoints)).map(({ endpointId }) => endpointId),
    event: items.map(({ id }) => id),
    job: [jobId],
  };
}

function sendable({ operation, path, query, body }: Drawn, ids: Ids): Sendable {
  const filled = operation.url.replace(/\{(\w+)\}/g, (_, name: string) => encoded(withIds(path[name], ids)));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => `${encoded(name)}=${encoded(withIds(each, ids))}`),
  );
  const content = body === null ? undefined : withIds(body.content, ids);
  return {
    path: pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`,
    body: typeof content === 'string' ? content : JSON.stringify(content),
  };
}

function encoded(value: unknown): string {
  const text = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  // Half a surrogate pair has no form in UTF-8.
  return encodeURIComponent(Buffer.from(text).toString());
}

/** The value with the ids of the run inserted. */
function withIds(value: unknown, ids: Ids): unknown {
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each, ids)]));
  const [, kind, at] = (typeof value === 'string' ? PLACE.exec(value) : null) ?? [];
  return kind === undefined ? value : ids[kind as Kind][Number(at)];
}

function send({ url, keys }: Stage, { operation, role, body, headers }: Drawn, sent: Sendable): Promise<Said> {
  return askWhenReady(url, {
    method: operation.method,
    path: sent.path,
    key: role === null ? null : keys[role],
    ...(sent.body === undefined ? {} : { body: sent.body }),
    headers: { ...headers, ...(body === null ? {} : { 'content-type': body.type }) },
  });
}

function abridged(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}… (${text.length})` : text;
}
