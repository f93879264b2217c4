import { DAY, HOUR } from '../../src/domain/time';
import type { Sandbox } from '../../src/sandbox';
import type { DuedayProcess } from '../cli/dueday-process';
import { type AdminApi, type Answer, createAdminApi, reconcile } from '../scenarios/admin-api';
import { orderOf } from '../scenarios/order';
import { ADMIN_KEY, type Ground, openGround } from '../scenarios/world';
import { waitUntil } from '../support/wait-until';

/** Two API processes and a worker are real processes. A minute passes in a second, so that nothing falls due meanwhile. */
const SPEED = 60;
/** Real ms within which a waiting payer is answered, although the process that received the request has died. */
const MAX_WAIT = 15_000;

let ground: Ground;
let sandbox: Sandbox;
let api: DuedayProcess;
let admin: AdminApi;
let env: Record<string, string>;

beforeAll(async () => {
  ground = await openGround(SPEED);
  const opened = await ground.openSandbox();
  sandbox = opened.sandbox;
  env = { PAYMENT_SERVICE_BASE_URL: opened.url };
  api = ground.start('api', env);
  const worker = ground.start('worker', env);
  admin = createAdminApi((await api.says('admin API on ')).url!, ADMIN_KEY);
  await worker.says('worker started');
});

afterAll(() => ground.close());

interface Created {
  readonly paymentId: string;
  readonly consent: { readonly redirectURL?: string; readonly checkedAt?: string };
}

const ORDERS = {
  'a subscription': () => {
    const order = orderOf({ name: 'killed', cents: 1100, lead: 10 * HOUR }, now());
    return ['/v1/subscriptions', { ...order, subscriptionId: undefined }] as const;
  },
  'a subscription whose id the caller has chosen': () =>
    ['/v1/subscriptions', orderOf({ name: 'killed', cents: 1200, lead: 10 * HOUR }, now())] as const,
  'a one-time payment': () => {
    const { billingAddress, returnURL, amount } = orderOf({ name: 'killed', cents: 1300 }, now());
    return ['/v1/payments', { plan: 'SINGLE', amount, returnURL, billingAddress }] as const;
  },
};

const now = () => ground.clock.now();
const paymentsOf = (value: number) => sandbox.payments().filter(({ amount }) => amount.value === value);

/** Repeats the request, as a checkout does, until the answer is final. */
async function untilAnswered(ask: () => Promise<Answer<Created>>): Promise<Answer<Created>> {
  let answer = await ask();
  await waitUntil(
    'the call is answered',
    async () => {
      if (answer.status !== 409 && answer.status !== 503) return true;
      answer = await ask();
      return false;
    },
    MAX_WAIT,
  );
  return answer;
}

/** Starts an API process that is in the middle of this creation: the service has the request, and has not answered. */
async function inTheMiddle(key: string, path: string, body: { readonly amount: { readonly value: number } }) {
  const doomed = ground.startToBeKilled('api', env);
  const { url } = await doomed.says('admin API on ');
  sandbox.faults.add({ kind: 'delay', delayMs: 1_500, match: { method: 'POST', path: '^/payments$' } });
  const before = paymentsOf(body.amount.value).length;
  const asked = createAdminApi(url!, ADMIN_KEY).post<Created>(path, body, key);
  const ended = asked.then(
    (answer) => answer.status,
    () => 'no answer' as const,
  );
  await waitUntil('the service has it', () => paymentsOf(body.amount.value).length > before);
  return { doomed, ended };
}

test.each(Object.entries(ORDERS))(
  'fault 24: after an API process is killed while it creates %s, another one answers the same call within 15 s and creates nothing twice',
  async (what, orderedBy) => {
    const [path, body] = orderedBy();
    const key = what.replaceAll(' ', '-');
    const { doomed, ended } = await inTheMiddle(key, path, body);

    process.kill(doomed.pid, 'SIGKILL');
    expect(await ended).toBe('no answer');
    const answer = await untilAnswered(() => admin.post<Created>(path, body, key));

    expect(answer).toMatchObject({ status: 201, body: { status: 'pending_consent' } });
    expect(answer.body.consent.redirectURL).toMatch(/^http/);
    expect(paymentsOf(body.amount.value)).toMatchObject([{ paymentId: answer.body.paymentId }]);
    const again = await admin.post<Created>(path, body, key);
    // A repeated creation answers with the current state: the consent may have been checked since.
    const { checkedAt } = again.body.consent;
    const asItIs = { ...answer.body, consent: { ...answer.body.consent, checkedAt } };
    expect([again.headers.get('idempotent-replay'), again.body]).toEqual(['true', asItIs]);
  },
);

test('fault 24: an API process that was frozen during a creation, and resumes after another one has answered, gives the same answer and stores none', async () => {
  const order = orderOf({ name: 'frozen', cents: 1400, lead: 10 * HOUR }, now());
  const { doomed, ended } = await inTheMiddle('frozen', '/v1/subscriptions', order);

  process.kill(doomed.pid, 'SIGSTOP');
  const answer = await untilAnswered(() => admin.post<Created>('/v1/subscriptions', order, 'frozen'));
  process.kill(doomed.pid, 'SIGCONT');

  expect(answer.status).toBe(201);
  expect(await ended).toBe(201);
  await waitUntil('it has seen that it is late', () =>
    doomed.log().some(({ msg }) => msg.startsWith('the idempotency key was taken over')),
  );
  const again = await admin.post<Created>('/v1/subscriptions', order, 'frozen');
  expect([again.headers.get('idempotent-replay'), again.body]).toEqual(['true', answer.body]);
  expect(paymentsOf(1400)).toHaveLength(1);
});

test('fault 24: after API processes were killed, a reconciliation asks the service about each payment and finds no difference', async () => {
  const reconciled = await reconcile(admin, now() - DAY, now() + DAY);
  expect(reconciled).toMatchObject({ compared: 4, report: { items: [], nextCursor: null } });
});
