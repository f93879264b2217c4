import type { CreateOutcome } from '../../src/temporal';
import { insertDraft, type SubscriptionDraft } from '../../src/ledger';
import { type AdminUnderTest, startAdmin } from './admin-under-test';
import { order } from './order';

let admin: AdminUnderTest;
beforeAll(async () => {
  admin = await startAdmin();
});
afterEach(() => {
  admin.workflows.onCreate = (draft) => admin.workflows.open(draft);
});
afterAll(() => admin.stop());

let made = 0;
const nextKey = () => `repeated-${(made += 1)}`;

const create = (idempotencyKey: string | undefined, changes: Record<string, unknown> = {}) =>
  admin.call('POST', '/v1/subscriptions', {
    role: 'operator',
    body: order(changes),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });

/** Lets each creation store what `make` stores, and then end with this outcome. */
function firstComesTo(outcome: () => CreateOutcome, make: (draft: SubscriptionDraft) => Promise<unknown>): void {
  admin.workflows.onCreate = async (draft) => {
    await make(draft);
    return outcome();
  };
}

const open = (draft: SubscriptionDraft) => admin.workflows.open(draft);
const onlyDraft = (draft: SubscriptionDraft) => insertDraft(admin.db, draft, 0);
const died = () => {
  throw new Error('the process died');
};

/** Without an id the API derives one from the Idempotency-Key; with one the caller has chosen it. */
const IDS = [
  ['no id of its own', () => ({})],
  ['an id of its own', () => ({ subscriptionId: `chosen_${(made += 1)}` })],
] as const;

describe.each(IDS)('a creation with %s', (_what, chosen) => {
  test.each<CreateOutcome>([
    { kind: 'not_ready' },
    { kind: 'exists' },
    { kind: 'unavailable', reason: 'Temporal has lost the answer' },
  ])('a creation that ends as $kind is answered from the ledger if the subscription was created', async (outcome) => {
    firstComesTo(() => outcome, open);
    const answer = await create(nextKey(), chosen());
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ consent: { redirectURL: 'https://bank.example/approve' } });
  });

  test('a creation repeated after a lost answer is answered with the subscription that was created', async () => {
    const [key, body] = [nextKey(), chosen()];
    firstComesTo(died, open);
    expect((await create(key, body)).statusCode).toBe(500);
    const before = admin.workflows.created.length;
    const again = await create(key, body);
    expect(again.statusCode).toBe(201);
    expect(again.json()).toMatchObject({ status: 'pending_consent', consent: { status: 'pending' } });
    expect(admin.workflows.created).toHaveLength(before);
  });

  test('a creation repeated while the first is in progress is answered with 503, and with 201 once the subscription is created', async () => {
    const [key, body] = [nextKey(), chosen()];
    firstComesTo(() => ({ kind: 'not_ready' }), onlyDraft);
    expect((await create(key, body)).json()).toMatchObject({ status: 503, code: 'not_ready' });
    admin.workflows.onCreate = async () => ({ kind: 'exists' });
    const again = await create(key, body);
    expect(again.json()).toMatchObject({ status: 503, code: 'not_ready' });
    expect(again.headers['retry-after']).toBe('5');
    admin.workflows.onCreate = async (draft) => {
      await admin.workflows.requested(draft.subscriptionId);
      return { kind: 'exists' };
    };
    expect((await create(key, body)).statusCode).toBe(201);
  });
});

test('a creation with a subscription id that another request has used is a conflict, whichever API key made that request', async () => {
  const [key, body] = [nextKey(), { subscriptionId: `chosen_${(made += 1)}` }];
  firstComesTo(died, open);
  await create(key, body);
  const others = [
    await create(nextKey(), body),
    await create(undefined, body),
    await create(key, { ...body, repetition: 'YEARLY' }),
    await admin.call('POST', '/v1/subscriptions', { role: 'admin', body: order(body), idempotencyKey: key }),
  ];
  for (const other of others) expect(other.json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('a creation with a subscription id that another request is using is a conflict', async () => {
  const body = { subscriptionId: `chosen_${(made += 1)}` };
  firstComesTo(() => ({ kind: 'not_ready' }), onlyDraft);
  await create(nextKey(), body);
  admin.workflows.onCreate = async () => ({ kind: 'exists' });
  expect((await create(nextKey(), body)).json()).toMatchObject({ status: 409, code: 'state_conflict' });
});

test('a creation without Idempotency-Key and id is answered with the recorded subscription, even if Temporal was not ready', async () => {
  firstComesTo(() => ({ kind: 'not_ready' }), open);
  expect((await create(undefined)).statusCode).toBe(201);
});
