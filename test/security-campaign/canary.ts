import { readFileSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import { PERSONAL } from '../scenarios/order';
import { everythingInTemporal } from '../scenarios/temporal-records';
import { waitUntil } from '../support/wait-until';
import { openOtlpReceiver, type OtlpReceiver } from '../tracing/otlp-receiver';
import { type Forwarder, openForwarder } from '../wiring/forwarder';
import { ask, bodyOf } from './ask';
import { beRefused, Caller, liveOnce, MISPLACED } from './canary-life';
import type { Check } from '../support/campaign';
import { noneOf } from './check';
import { type Listener, openListener } from './listener';

/** Four hours a second. */
const SPEED = 14_400;
const START = Date.parse('2027-01-29T08:00:00.000Z');
const SMTP_PASSWORD = 'canary-smtp-password-2c6e';
const SECRETS = {
  PAYMENT_SERVICE_CLIENT_SECRET: 'canary-client-secret-7f3a91c2d4',
  PAYMENT_SERVICE_API_KEY: 'canary-api-key-5be08d17aa92',
  ADMIN_BOOTSTRAP_KEY: 'canary-bootstrap-key-of-the-campaign-91',
  SMTP_URL: `smtp://mailer:${SMTP_PASSWORD}@127.0.0.1:1`,
};
/** Real ms in which an event must arrive. */
const MAX_WAIT = 60_000;

/** A word that must be nowhere, and what it is. The word itself is never printed. */
interface Canary {
  readonly what: string;
  readonly word: string | RegExp;
}

/** A source that was searched: its text, and a word that is in it if it was really read. */
interface Place {
  readonly name: string;
  readonly text: string;
  readonly witness: string;
}

/** Everything that runs for one life. */
interface Scene {
  readonly stack: ProcessStack;
  readonly worker: Program;
  readonly api: Program;
  readonly caller: Caller;
  readonly forwarder: Forwarder;
  readonly listener: Listener;
  readonly collector: OtlpReceiver;
}

/**
 * Lives with unmistakable names, addresses, e-mails, secrets and tokens, through every process; then each place that other
 * operators read is searched for them. Payloads in Temporal are not encrypted here: what they hold must be harmless by itself.
 */
export async function checkCanary(): Promise<readonly Check[]> {
  const clientId = 'merchant-of-the-canary';
  const { PAYMENT_SERVICE_CLIENT_SECRET: clientSecret, PAYMENT_SERVICE_API_KEY: apiKey } = SECRETS;
  const env = {
    ...SECRETS,
    PAYMENT_SERVICE_CLIENT_ID: clientId,
    NOTICE_FROM: 'Billing <billing@shop.example>',
    LOG_LEVEL: 'trace',
    PAYMENT_SERVICE_SETTLE_SECONDS: '1',
    NOTICE_BACKOFF_SECONDS: '0.5',
    RETRY_OFFSETS_HOURS: '12,24,36',
  };
  const sandbox = { clientId, clientSecret, apiKey };
  const collector = await openOtlpReceiver();
  const closing: (() => Promise<void>)[] = [() => collector.close()];
  try {
    const stack = await openProcessStack({ startAt: START, speed: SPEED, sandbox, env });
    closing.unshift(() => stack.close());
    const forwarder = await openForwarder(stack.sandboxUrl);
    closing.push(() => forwarder.close());
    const listener = await openListener();
    closing.push(() => listener.close());
    return await play({ stack, forwarder, listener, collector });
  } finally {
    for (const close of closing) await close();
  }
}

type Around = Pick<Scene, 'stack' | 'forwarder' | 'listener' | 'collector'>;

async function play(around: Around): Promise<readonly Check[]> {
  const { stack, forwarder, listener, collector } = around;
  const env = {
    PAYMENT_SERVICE_BASE_URL: forwarder.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  };
  const worker = stack.program('worker', 'worker', { ...env, METRICS_PORT: '0' });
  const api = stack.program('api', 'api', env);
  await Promise.all([worker.start(), api.start()]);
  const caller = new Caller(`http://127.0.0.1:${stack.env['ADMIN_PORT'] ?? ''}`, SECRETS.ADMIN_BOOTSTRAP_KEY);
  const scene = { ...around, worker, api, caller };
  const { operator, given } = await takeSecrets(scene);
  const order = await liveOnce(stack, caller);
  await beRefused(caller, order, operator);
  await waitUntil(
    'the shop is notified of the end',
    () => listener.text().includes('subscription.cancelled'),
    MAX_WAIT,
  );
  await waitUntil('the end is traced', () => collector.text().includes('/v1/subscriptions/:id/cancel'), MAX_WAIT);
  const canaries = [...configured(stack), ...given, ...sent(forwarder), ...typed()];
  const places = await positionsOf(scene, order.subscriptionId);
  return [...places.map((place) => search(place, canaries)), ...[worker, api].map(checkLines)];
}

/** Creates a key, an endpoint's secret and a session, which the API shows only once. */
async function takeSecrets({ caller, listener }: Scene): Promise<{ operator: string; given: readonly Canary[] }> {
  const key = { name: 'canary shop', role: 'operator' };
  const { key: operator } = await caller.done<{ key: string }>('POST', '/v1/keys', key);
  const wanted = { url: listener.url, types: ['*'] };
  const { secret } = await caller.done<{ secret: string }>('POST', '/v1/webhook-endpoints', wanted);
  const session = await ask(caller.url, { method: 'POST', path: '/v1/session', key: operator });
  const { csrfToken } = await bodyOf<{ csrfToken: string }>(Promise.resolve(session));
  const token = /__Host-dueday=([^;]+)/.exec(String(session.headers['set-cookie']))?.[1] ?? '';
  const given = {
    'a key': operator,
    'the secret of an endpoint': secret,
    'a session': token,
    'a CSRF token': csrfToken,
  };
  return { operator, given: Object.entries(given).map(([what, word]) => canary(what, word)) };
}

/** @throws Error for an empty word: it would be found nowhere */
function canary(what: string, word: string): Canary {
  if (word === '') throw new Error(`${what} is not known: there is nothing to search for`);
  return { what, word };
}

function configured({ env, databaseUrl }: ProcessStack): readonly Canary[] {
  const named = Object.entries(env).filter(([name]) => /(SECRET|KEY)$/.test(name));
  return [
    ...named.map(([name, value]) => canary(name, value)),
    canary('the password of SMTP_URL', SMTP_PASSWORD),
    canary('the password of DATABASE_URL', new URL(databaseUrl).password),
  ];
}

/** The client's credentials and every token, as they went to the payment service. */
function sent({ seen }: Forwarder): readonly Canary[] {
  const headers = [...new Set(seen.map(({ headers: { authorization } }) => authorization ?? ''))].filter(Boolean);
  for (const scheme of ['basic ', 'bearer '])
    if (!headers.some((header) => header.toLowerCase().startsWith(scheme)))
      throw new Error(`no ${scheme.trim()} authorization was seen on its way to the payment service`);
  return headers.map((header) => canary('what the payment service was shown', header.split(' ')[1] ?? ''));
}

function typed(): readonly Canary[] {
  return [
    canary('the name of a payer', PERSONAL.name),
    canary('the street of a payer', PERSONAL.street),
    // The e-mail address of the request, that of the billing address, and the changed one.
    { what: 'an e-mail address of a payer', word: /quixotine\.[0-9a-f]{6}/i },
    canary('an e-mail address in a wrong place', MISPLACED.email),
    canary('a key that was tried', MISPLACED.key),
  ];
}

async function positionsOf(
  { stack, worker, api, caller, listener, collector }: Scene,
  id: string,
): Promise<readonly Place[]> {
  const read = async (url: string) => (await ask(url, { method: 'GET', path: '/metrics', key: null })).text;
  const workerUrl = worker.process.log().find(({ msg }) => msg.startsWith('metrics on '))?.url ?? '';
  const refusals = caller.answers.filter(({ status }) => status >= 400).map(({ text }) => text);
  return [
    { name: 'log of the worker', text: outputOf(worker), witness: 'payment service call' },
    { name: 'log of the API', text: outputOf(api), witness: 'admin API on' },
    { name: 'command line of the worker', text: commandLine(worker), witness: 'dueday' },
    { name: 'command line of the API', text: commandLine(api), witness: 'dueday' },
    { name: 'all of Temporal', text: await temporalText(stack), witness: id },
    { name: 'metrics of the worker', text: await read(workerUrl), witness: 'dueday_attempts_total' },
    { name: 'metrics of the API', text: await read(caller.url), witness: 'dueday_admin_request_seconds' },
    { name: 'traces', text: collector.text(), witness: id },
    { name: 'refusals', text: refusals.join('\n'), witness: 'invalid_request' },
    { name: 'events that endpoints got', text: listener.text(), witness: id },
    { name: 'the feed of events', text: (await caller.call('GET', '/v1/events?limit=200')).text, witness: id },
    { name: 'the audit log', text: (await caller.call('GET', '/v1/audit?limit=200')).text, witness: id },
  ];
}

export function outputOf({ process }: Program): string {
  return process.stdout() + process.stderr();
}

/** The command line of a program, as all users of the machine see it. */
function commandLine({ process }: Program): string {
  return readFileSync(`/proc/${process.pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
}

/** Histories, search attributes, memos and summaries of every workflow. */
export async function temporalText({ temporalAddress, taskQueue }: ProcessStack): Promise<string> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const records = await everythingInTemporal(new Client({ connection }), taskQueue);
    return records.map(({ text }) => text).join('\n');
  } finally {
    await connection.close();
  }
}

/** Whether a place is clean; one that was not really read is not. */
export function search({ name, text, witness }: Place, canaries: readonly Canary[]): Check {
  const unread = text.includes(witness) ? [] : [`${witness} is not in it: it was not read`];
  const found = canaries.filter(({ word }) => isIn(text, word)).map(({ what }) => `it has ${what}`);
  const looked = `none of ${canaries.length} in ${text.length} characters`;
  return noneOf(`canary: ${name}`, [...unread, ...found], looked);
}

function isIn(text: string, word: string | RegExp): boolean {
  if (word instanceof RegExp) return word.test(text);
  const inBase64 = Buffer.from(word).toString('base64').replace(/=+$/, '').slice(0, -1);
  const forms = [word, encodeURIComponent(word), JSON.stringify(word).slice(1, -1), inBase64];
  return forms.some((form) => text.includes(form));
}

/** Checks that no text of a caller begins a line of the log. */
function checkLines(program: Program): Check {
  const lines = program.process.stdout().split('\n').filter(Boolean);
  const strange = lines.filter((line) => !/^\{.*"level":\d+.*\}$/.test(line) || line.includes('"msg":"forged"'));
  return noneOf(`canary: each line that the ${program.name} logs is an object`, strange, `${lines.length} lines`);
}
