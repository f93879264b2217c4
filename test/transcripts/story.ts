import { DAY, SECOND, toIso } from '../../src/domain/time';
import type { Cycle, Subscription } from '../scenarios/admin-api';
import { portToKeep } from '../processes/servers';
import { PROGRAM_ROLE } from '../support/program-role';
import { waitUntil } from '../support/wait-until';
import { DUE, type Stage } from './stage';
import type { Shown, Terminal } from './terminal';

/** The commands that an operator types in a morning at the shop, and what others do in between. */

const YEAR = '--from 2027-01-01T00:00:00Z --to 2028-01-01T00:00:00Z';
const TODAY = '--from 2027-01-31T00:00:00Z --to 2027-02-01T00:00:00Z';

/** The part of a list from which the next command takes an id. */
interface Items<T> {
  readonly items: readonly T[];
}

async function first<T>({ stack }: Stage, path: string): Promise<T> {
  let found: T | undefined;
  await waitUntil(`${path} has something`, async () => {
    [found] = (await stack.admin.get<Items<T>>(path)).body.items;
    return found !== undefined;
  });
  return found as T;
}

const ENDPOINT = /whe_[\da-f]{32}/;
/** The id of the approval that the API requires. */
const APPROVAL = /(?<=approval )[\da-f-]{36}/;
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Returns what an operator would copy from the output. */
function copy(printed: string, pattern: RegExp): string {
  return pattern.exec(printed)?.[0] ?? 'nothing';
}

export async function playMorning(stage: Stage): Promise<void> {
  await placeOrders(stage);
  await takePayments(stage);
  await resolveOrders(stage);
  await lookAround(stage);
  await collectUnknown(stage);
  await steerSubscriptions(stage);
  await steerCycles(stage);
  await handleNotices(stage);
  await sendEvents(stage);
  await compareBooks(stage);
  await doMany(stage);
  await holdMany(stage);
  await readReports(stage);
  await approveRefunds(stage);
  await halt(stage);
}

async function placeOrders(stage: Stage): Promise<void> {
  const { terminal, stack } = stage;
  const at = `--start-at ${toIso(DUE)} --first-payment-at ${toIso(DUE)}`;
  await terminal.show(
    `subscriptions create --subscription-id coffee --amount 19.99 --repetition MONTHLY ${at} --return-url https://shop.example/thanks --billing-address @address.json --payer '{"reference":"customer-7"}' --metadata '{"shop":"berlin"}'`,
  );
  const { body } = await stack.admin.get<Subscription>('/v1/subscriptions/coffee');
  stack.sandbox.payer(body.paymentId).approve('approves');
  await terminal.show('subscriptions consent-check coffee');
  await stage.subscribe('paper', 1200, 'approves');
  // The messenger delivers no notice to this payer, until an operator notifies the payer.
  stack.receiver.outOfOrder('gym', DUE + DAY);
  await stage.subscribe('gym', 4900, 'insufficient-funds-always');
}

async function takePayments(stage: Stage): Promise<void> {
  const { terminal, stack } = stage;
  await terminal.show(
    'payments create --plan EVENT_DEPENDENT --amount 89 --partial-capture --multiple-capture --return-url https://shop.example/thanks --billing-address @address.json',
  );
  const { paymentId: machine } = await first<{ paymentId: string }>(stage, '/v1/payments');
  stack.sandbox.payer(machine).approve('approves');
  await terminal.show(`payments consent-check ${machine}`);
  const released = await stage.pay({ plan: 'EVENT_DEPENDENT', cents: 4500 });
  const single = await stage.pay({ plan: 'SINGLE', cents: 2500 });
  await becomes(stage, machine, 'authorized');
  await becomes(stage, released, 'authorized');
  await becomes(stage, single, 'captured');
  await terminal.show('payments list --limit 3');
  await terminal.show(`payments capture ${machine} --amount 60 --yes`);
  await terminal.show(`payments show ${machine}`);
  await terminal.show(`payments release ${released} --reason 'out of stock' --yes`);
  await terminal.show(`payments refund ${single} --amount 5 --reason 'a cup was broken' --yes`);
  await terminal.show(`payments change ${single} --metadata '{"shop":"potsdam"}'`);
  await terminal.show(`payments events ${single} --limit 2`);
  await terminal.show(`payments restart ${machine} --reason 'it seems to stand still' --yes`);
}

/**
 * An operator makes a capture and a refund by hand at the service, right before the same ones are ordered from dueday,
 * which therefore does not send them.
 */
async function resolveOrders(stage: Stage): Promise<void> {
  const { terminal, stack, service } = stage;
  const amount = { value: 2500, currency: 'EUR' } as const;
  const order = (paymentId: string, kind: 'captures' | 'refunds') =>
    stack.admin.post(`/v1/payments/${paymentId}/${kind}`, { amount }, `our-${kind}`);
  const waiting = (kind: string) => first<{ orderId: string }>(stage, `/v1/attention?kind=${kind}_unresolved`);
  const parts = await stage.pay({ plan: 'EVENT_DEPENDENT', cents: 6000, inParts: true });
  const single = await stage.pay({ plan: 'SINGLE', cents: 6000 });
  await becomes(stage, parts, 'authorized');
  await becomes(stage, single, 'captured');
  const captured = await service.capture(parts, { amount, finalCapture: false });
  await order(parts, 'captures');
  const refunded = await service.refund(single, { amount });
  await order(single, 'refunds');
  if (captured.kind !== 'accepted' || refunded.kind !== 'accepted') throw new Error('nothing was made by hand');
  const [capture, refund] = [await waiting('capture'), await waiting('refund')];
  const said = `--evidence 'made by hand in the portal' --yes`;
  const [captureId, refundId] = [captured.value.captureId, refunded.value.refundId];
  await terminal.show(`captures resolve ${capture.orderId} --outcome successful --capture-id ${captureId} ${said}`);
  await terminal.show(`refunds resolve ${refund.orderId} --outcome successful --service-refund-id ${refundId} ${said}`);
}

function becomes({ stack }: Stage, paymentId: string, wanted: string): Promise<void> {
  return waitUntil(`${paymentId} is ${wanted}`, async () => {
    const { body } = await stack.admin.get<{ status: string }>(`/v1/payments/${paymentId}`);
    return body.status === wanted;
  });
}

/** Commands that need no subscription, while the subscriptions fall due. */
async function lookAround({ terminal, stack }: Stage): Promise<void> {
  await terminal.show('service health');
  await terminal.show('service readiness --json');
  await terminal.show('migrate', { env: { DATABASE_URL: stack.databaseUrl, DATABASE_ROLE: PROGRAM_ROLE } });
  await terminal.show('config check', { lines: -4 });
  await terminal.show('doctor');
  await terminal.show('replay verify', { lines: -1 });
  await terminal.show('upgrade check');
  await terminal.show('versions list');
  await terminal.show('versions promote --without-verify');
  await terminal.show('versions rollback');
  await terminal.show('notices preview payment.failed --language de', { lines: 9 });
  await terminal.show('completion bash', { lines: 6 });
  const created = await terminal.show('keys create --name accounting --role viewer');
  const rotated = await terminal.show(`keys rotate ${copy(created, UUID)} --overlap-hours 1`);
  await terminal.show('keys list');
  await terminal.show(`keys revoke ${copy(rotated, UUID)}`);
}

/** Right before our debit another program makes one of another amount: an operator must say if it pays this cycle. */
async function collectUnknown(stage: Stage): Promise<void> {
  const { paymentId } = await stage.subscribe('twice', 3000, 'approves');
  await stage.reach(DUE - 45 * SECOND);
  stage.stack.sandbox.authorizeElsewhere(paymentId, {
    amount: 2_900,
    createdAt: DUE - 45 * SECOND,
    result: 'successful',
  });
  const is = (id: string, wanted: string) =>
    waitUntil(`cycle 0 of ${id} is ${wanted}`, async () => {
      const { body } = await stage.stack.admin.get<Items<Cycle>>(`/v1/subscriptions/${id}/cycles`);
      return body.items[0]?.status === wanted;
    });
  await is('coffee', 'collected');
  await is('paper', 'collected');
  await is('gym', 'dunning');
  await is('twice', 'unresolved');
}

async function steerSubscriptions({ terminal }: Stage): Promise<void> {
  await terminal.show('subscriptions list');
  await terminal.show('subscriptions show coffee');
  await terminal.show('subscriptions export');
  await terminal.show('subscriptions schedule coffee --count 3');
  await terminal.show('subscriptions events coffee --limit 3');
  await terminal.show(`subscriptions change coffee --metadata '{"shop":"potsdam"}'`);
  await terminal.show('subscriptions change-amount coffee --amount 14.99 --yes');
  await terminal.show('subscriptions withdraw-amount coffee --yes');
  await terminal.show(`subscriptions pause coffee --until 2027-03-15T00:00:00Z --reason 'on holiday' --yes`);
  await terminal.show(`subscriptions resume coffee --reason 'back home' --yes`);
  await terminal.show(`subscriptions restart coffee --reason 'it seems to stand still' --yes`);
  await terminal.show(`subscriptions cancel paper --reason 'as the payer asked' --yes`);
  await terminal.show(`payers change coffee --email ada@new.example.org --language en`);
  await terminal.show('payers show customer-7');
  const listed = await terminal.show('audit list --type subscription.paused');
  await terminal.show(`audit redact ${copy(listed, /^\d+/m)} --reason 'it names a hospital' --yes`);
  await terminal.show('audit verify');
  // Declaring the ledger a copy would end the story, so the command is shown with its refusal.
  await terminal.show(`ledger accept --reason 'a copy for tests'`);
  await terminal.show(`temporal accept --reason 'Temporal was set up again'`);
}

async function steerCycles({ terminal }: Stage): Promise<void> {
  await terminal.show('attention list');
  await terminal.show(
    `cycles resolve twice 0 --outcome failed --evidence 'the service says that it was another program' --yes`,
  );
  await terminal.show(`subscriptions acknowledge twice --reason 'the other program was stopped'`);
  await terminal.show('cycles list coffee');
  await terminal.show(`cycles skip coffee 1 --reason 'a month for free' --yes`);
  await terminal.show(`cycles postpone coffee 2 --until 2027-04-03T09:00:00Z --reason 'salary comes on the 3rd'`);
  // The cycle's window is open, so the command is shown with its refusal.
  await terminal.show('cycles payment-link gym 0 --return-url https://shop.example/thanks');
  await terminal.show(`cycles refund coffee 0 --amount 5 --reason 'a bag was torn' --yes`);
}

async function handleNotices(stage: Stage): Promise<void> {
  const { terminal, stack } = stage;
  const { noticeId } = await first<{ noticeId: string }>(stage, '/v1/notices?subscriptionId=gym');
  await terminal.show('notices list --subscription-id gym');
  await terminal.show(`notices resend ${noticeId}`);
  await terminal.show(
    `notices told ${noticeId} --channel phone --told-at ${toIso(stack.clock.now())} --evidence 'will pay in today' --yes`,
  );
  await terminal.show(`cycles retry gym 0 --reason 'the payer has paid in' --yes`);
}

async function sendEvents(stage: Stage): Promise<void> {
  const { terminal, stack } = stage;
  const created = await terminal.show(`endpoints create --url ${stage.shopUrl} --types 'cycle.*,refund.successful'`);
  const shop = copy(created, ENDPOINT);
  const more = await terminal.show(
    `endpoints create --url http://127.0.0.1:9/events --types '*' --description archive`,
  );
  const archive = copy(more, ENDPOINT);
  await terminal.show('endpoints list');
  await terminal.show(`endpoints show ${shop}`);
  await terminal.show(`endpoints change ${shop} --description 'order fulfilment of the shop'`);
  await terminal.show(`endpoints rotate-secret ${shop} --overlap-hours 48`);
  await terminal.show(`events trigger cycle.collected --endpoint ${shop}`);
  await terminal.show('events list --types cycle.collected --limit 2');
  const { id } = await first<{ id: string }>(stage, '/v1/events?types=cycle.collected');
  await terminal.show(`events show ${id}`);
  await terminal.show(`events resend ${id} --endpoint-id ${shop}`);
  const path = `/v1/webhook-endpoints/${shop}/deliveries?state=delivered`;
  await waitUntil('both are delivered', async () => {
    const { items } = (await stack.admin.get<Items<{ type: string }>>(path)).body;
    return items.filter(({ type }) => type === 'cycle.collected').length === 2;
  });
  await terminal.show(`endpoints deliveries ${shop}`);
  await terminal.show('reports deliveries');
  const replay = await terminal.show(`events replay ${archive} --since 2027-01-31T00:00:00Z --types 'cycle.*'`);
  await terminal.show(`jobs stop ${copy(replay, UUID)}`);
  await terminal.show(`endpoints delete ${archive}`);
  await followEvents(stage, shop);
}

/** Both commands run until Ctrl-C: events have to occur meanwhile. */
async function followEvents({ terminal, stack, shopUrl }: Stage, shop: string): Promise<void> {
  const steer = (verb: string) => stack.admin.post(`/v1/subscriptions/coffee/${verb}`, { reason: 'holiday' });
  const happens = setInterval(() => void steer('pause').then(() => steer('resume')), 2_000);
  const two = (printed: string) => (printed.match(/subscription\./g) ?? []).length >= 2;
  await terminal.show(`events tail --types 'subscription.*'`, { until: two });
  await terminal.show(`events listen --forward-to ${shopUrl} --types 'subscription.*'`, { until: two });
  clearInterval(happens);
  await terminal.show(`endpoints delete ${shop}`);
}

/** A refund that was made by hand at the service is a difference. */
async function compareBooks(stage: Stage): Promise<void> {
  const { terminal, service, stack } = stage;
  const { body } = await stack.admin.get<Subscription>('/v1/subscriptions/paper');
  await service.refund(body.paymentId, { amount: { value: 1200, currency: 'EUR' } });
  const job = copy(await terminal.show(`reports reconcile ${YEAR}`), UUID);
  const state = async () => (await stack.admin.get<{ state: string }>(`/v1/jobs/${job}`)).body.state;
  await waitUntil('the comparison has ended', async () => (await state()) !== 'running');
  await terminal.show('jobs list');
  await terminal.show(`jobs show ${job}`);
  await terminal.show(`jobs results ${job}`);
  await terminal.show(`reports reconciliation ${YEAR}`);
  await terminal.show(`reconcile ${YEAR}`);
  const { item } = await first<{ item: string }>(stage, '/v1/attention?kind=refund_unknown');
  await terminal.show(`attention assign ${item} --assignee Grace`);
  await terminal.show(`attention note ${item} --note 'asked the service who did it'`);
  await terminal.show(`attention close ${item} --reason 'made by hand in the portal of the service'`);
}

async function doMany(stage: Stage): Promise<void> {
  const { terminal } = stage;
  const dryRun = await terminal.show(
    `bulk --action pause --parameters '{"reason":"the shop is closed"}' --filter '{"metadata":{"shop":"potsdam"}}' --dry-run`,
  );
  await terminal.show(`bulk --token ${copy(dryRun, /bulk_[\w-]{43}/)} --yes`);
  const elsewhere = await stage.grantElsewhere(1500);
  const due = toIso(DUE + 14 * DAY);
  const mandate = {
    subscriptionId: 'magazine',
    paymentId: elsewhere,
    amount: { value: 1500, currency: 'EUR' },
    repetition: 'MONTHLY',
    startAt: due,
    firstPaymentAt: due,
    billingAddress: {
      name: 'Ada Byron',
      street: 'Analytical Way 12',
      postalCode: '10115',
      city: 'Berlin',
      country: 'DE',
    },
    payer: { reference: 'customer-7' },
  };
  const lines = [mandate, { ...mandate, subscriptionId: 'atlas', repetition: 'DAILY' }];
  await stage.write('mandates.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await terminal.show('import mandates.ndjson --yes');
}

async function readReports({ terminal }: Stage): Promise<void> {
  await terminal.show(`transactions ${YEAR} --limit 3`);
  await terminal.show(`transactions ${TODAY} --type refund --csv`);
  await terminal.show(`reports collections ${TODAY}`);
  await terminal.show(`reports recovery ${TODAY} --by detail`);
  await terminal.show('reports deadlines');
  await terminal.show('reports today');
  await terminal.show('reports subscriptions --status active');
  await terminal.show('reports failing-payers');
  await terminal.show('reports forecast --from 2027-02-28T00:00:00Z --to 2027-03-02T00:00:00Z');
  await terminal.show(`advise retries ${YEAR}`);
}

/** Approves refunds at an API at which amounts above 10.00 EUR wait for a second person. */
async function approveRefunds(stage: Stage): Promise<void> {
  const { terminal, stack } = stage;
  const port = String(await portToKeep('the API of the head office'));
  await stack.program('api', 'head office', { ADMIN_PORT: port, APPROVAL_ABOVE_CENTS: '1000' }).start();
  const keyOf = async (name: string, holder: string) => {
    const { body } = await stack.admin.post<{ key: string }>('/v1/keys', { name, holder, role: 'admin' });
    return { env: { DUEDAY_URL: `http://127.0.0.1:${port}`, DUEDAY_KEY: body.key } };
  };
  const [ada, grace] = [await keyOf('desk of Ada', 'Ada Byron'), await keyOf('desk of Grace', 'Grace Hopper')];
  const paymentId = await stage.pay({ plan: 'SINGLE', cents: 9000 });
  await becomes(stage, paymentId, 'captured');
  await showApprovals(terminal, `payments refund ${paymentId}`, ada, grace);
}

/** @param refund the command, without its amount */
export async function showApprovals(terminal: Terminal, refund: string, ada: Shown, grace: Shown): Promise<void> {
  const wanted = `${refund} --amount 60 --reason 'the machine is broken'`;
  const approval = copy(await terminal.show(`${wanted} --yes`, ada), APPROVAL);
  await terminal.show('approvals list', grace);
  await terminal.show(`approvals approve ${approval} --reason 'seen the machine' --yes`, grace);
  await terminal.show(`${wanted} --approval ${approval} --yes`, ada);
  const other = copy(await terminal.show(`${refund} --amount 30 --yes`, ada), APPROVAL);
  await terminal.show(`approvals reject ${other} --reason 'nothing more is broken'`, grace);
}

async function holdMany({ terminal }: Stage): Promise<void> {
  const hold = await terminal.show(
    `holds create --filter '{"metadata":{"shop":"potsdam"}}' --until ${toIso(DUE + 30 * DAY)} --reason 'the bank is down' --yes`,
  );
  await terminal.show('holds list');
  await terminal.show(`holds lift ${copy(hold, /hold_[\da-f]{32}/)} --reason 'the bank is back' --yes`);
}

async function halt({ terminal }: Stage): Promise<void> {
  await terminal.show(`halt set --reason 'the bank reports double debits' --yes`);
  await terminal.show('halt show');
  await terminal.show(`halt lift --reason 'it was a drill' --yes`);
  await terminal.show(`payers erase paper --reason 'asked for by letter' --yes`);
}
