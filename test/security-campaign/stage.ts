import { DAY, toIso } from '../../src/domain/time';
import { createPool, type Pool, type Role, ROLES, type Scope } from '../../src/ledger';
import { openProcessStack, type ProcessStack } from '../processes/local-stack';
import type { Program } from '../processes/program';
import { waitUntil } from '../support/wait-until';
import { askJson, askWhenReady, bodyOf } from './ask';

/** Business time at which the stage opens. */
export const OPENED_AT = Date.parse('2027-01-31T10:00:00.000Z');
/** Names of the subscriptions that are there from the beginning. */
export const SUBSCRIPTIONS = Array.from({ length: 12 }, (_, n) => `security-${n}`);
const PAYMENTS = 2;

const billingAddress = {
  ...{ name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' },
  email: 'wallet+approves+auto@example.test',
};

/** A worker and an API of their own, in real time, that callers use. */
export interface Stage {
  readonly stack: ProcessStack;
  /** The worker and the API. */
  readonly programs: readonly Program[];
  /** The URL of the admin API. */
  readonly url: string;
  readonly keys: Readonly<Record<Role, string>>;
  /** Ids of one-time payments, authorized. */
  readonly payments: readonly string[];
  /** Connections to the ledger as its owner, past dueday. */
  readonly db: Pool;
  readonly close: () => Promise<void>;
}

/** @param more variables of every program */
export async function openStage(more: Readonly<Record<string, string>> = {}): Promise<Stage> {
  const sandbox = { autoDecisionMs: 0 };
  // A high limit, because one key makes more requests here than a shop makes in a minute.
  const env = { LOG_LEVEL: 'info', ADMIN_REQUESTS_PER_MINUTE: '1000000', ...more };
  const stack = await openProcessStack({ startAt: OPENED_AT, speed: 1, sandbox, env });
  const db = createPool({ databaseUrl: stack.databaseUrl, max: 2 });
  const close = async () => {
    await db.end();
    await stack.close();
  };
  try {
    const programs = [stack.program('worker'), stack.program('api')];
    await Promise.all(programs.map((program) => program.start()));
    const url = `http://127.0.0.1:${stack.env['ADMIN_PORT'] ?? ''}`;
    const keys = await makeKeys(url, bootstrapOf(stack));
    await Promise.all(SUBSCRIPTIONS.map((id) => createSubscription(url, keys.admin, id)));
    const payments = await Promise.all(Array.from({ length: PAYMENTS }, () => createPayment(url, keys.admin)));
    return { stack, programs, url, keys, payments, db, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function bootstrapOf({ env }: ProcessStack): string {
  return env['ADMIN_BOOTSTRAP_KEY'] ?? '';
}

async function makeKeys(url: string, bootstrap: string): Promise<Record<Role, string>> {
  const made = ROLES.map(async (role) => [role, (await makeKey(url, bootstrap, role)).key] as const);
  return Object.fromEntries(await Promise.all(made)) as Record<Role, string>;
}

/** A key of the role, with these scopes or, without any, the whole role. */
export async function makeKey(
  url: string,
  admin: string,
  role: Role,
  scopes: readonly Scope[] = [],
  use = 'campaign',
): Promise<{ readonly key: string; readonly keyId: string }> {
  const name = [use, role, ...scopes].join(' ');
  return bodyOf(askJson(url, admin, 'POST', '/v1/keys', { name, role, ...(scopes.length > 0 ? { scopes } : {}) }));
}

/** Approved by its payer, and due in a month. */
async function createSubscription(url: string, key: string, subscriptionId: string): Promise<void> {
  const first = toIso(OPENED_AT + 30 * DAY);
  const order = {
    subscriptionId,
    amount: { value: 1999, currency: 'EUR' },
    repetition: 'MONTHLY',
    startAt: first,
    firstPaymentAt: first,
    returnURL: 'https://shop.example/return',
    billingAddress,
    payer: { email: 'ada@payer.example', reference: 'customer-1' },
  };
  await bodyOf(askJson(url, key, 'POST', '/v1/subscriptions', order));
  await untilIs(url, key, `/v1/subscriptions/${subscriptionId}`, 'active');
}

async function createPayment(url: string, key: string): Promise<string> {
  const order = {
    ...{ plan: 'EVENT_DEPENDENT', amount: { value: 4999, currency: 'EUR' }, timeToCapture: 604_800 },
    ...{ partialCapture: true, multipleCapture: true, returnURL: 'https://shop.example/return', billingAddress },
  };
  const { paymentId } = await bodyOf<{ paymentId: string }>(askJson(url, key, 'POST', '/v1/payments', order));
  await untilIs(url, key, `/v1/payments/${paymentId}`, 'authorized');
  return paymentId;
}

async function untilIs(url: string, key: string, path: string, wanted: string): Promise<void> {
  await waitUntil(`${path} is ${wanted}`, async () => {
    const { status } = await bodyOf<{ status: string }>(askWhenReady(url, { method: 'GET', path, key }));
    return status === wanted;
  });
}
