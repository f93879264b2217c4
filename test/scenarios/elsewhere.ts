import { HOUR, type Instant, toIso } from '../../src/domain/time';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import { importFile } from '../support/import-call';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { PERSONAL } from './order';
import { ADMIN_KEY, CREDENTIALS, type World } from './world';

const AMOUNT = { value: 1999, currency: 'EUR' } as const;
const ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

/** Another program of the same merchant at the payment service. The caller closes it. */
function otherProgram(world: World): PaymentService {
  return createPaymentService({
    baseUrl: world.sandboxUrl,
    timeoutMs: 10_000,
    clock: world.clock,
    logger: silentLog(),
    ...CREDENTIALS,
  });
}

type Elsewhere = Awaited<ReturnType<typeof collectedElsewhere>>;

/** The line that imports a mandate of {@link collectedElsewhere} with its original terms. */
export function lineOf({ paymentId, firstPaymentAt, billingAddress }: Elsewhere, subscriptionId: string) {
  return {
    paymentId,
    subscriptionId,
    amount: AMOUNT,
    repetition: 'WEEKLY',
    startAt: toIso(firstPaymentAt),
    firstPaymentAt: toIso(firstPaymentAt),
    billingAddress,
    payer: {},
  };
}

/** A weekly mandate for 19.99 EUR whose first payment another program has collected. */
export async function collectedElsewhere(world: World) {
  const service = otherProgram(world);
  const firstPaymentAt = Math.ceil((world.clock.now() + 6 * HOUR) / HOUR) * HOUR;
  const billingAddress = { name: PERSONAL.name, street: PERSONAL.street, postalCode: '1', city: 'Bonn', country: 'DE' };
  const answer = await service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: AMOUNT,
    returnURL: 'https://shop.example/',
    billingAddress,
    repetition: 'WEEKLY',
    startAt: firstPaymentAt,
    firstPaymentAt,
  });
  if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer));
  const { paymentId } = answer.value;
  world.sandbox.payer(paymentId).approve('approves');
  await world.reach(firstPaymentAt);
  expect((await service.initiate(paymentId, AMOUNT)).kind).toBe('accepted');
  const isBooked = () => world.sandbox.payment(paymentId).debits.some(({ status }) => status === 'successful');
  await waitUntil('the first payment is booked', isBooked);
  await service.close();
  return { paymentId, firstPaymentAt, billingAddress };
}

interface TermsElsewhere {
  readonly anchor: Instant;
  readonly repetition: 'WEEKLY' | 'MONTHLY';
  /** The cycles that the old system has collected, with their times. */
  readonly collected: readonly (readonly [number, Instant])[];
}

/** Creates a mandate of another system, and imports it. */
export async function importedFromElsewhere(
  world: World,
  subscriptionId: string,
  terms: TermsElsewhere,
): Promise<string> {
  const { anchor, repetition, collected } = terms;
  const { paymentId } = world.sandbox.grantElsewhere(
    {
      useCase: 'SUBSCRIPTION',
      ...{ amount: AMOUNT, repetition, startAt: anchor, firstPaymentAt: anchor },
      ...{ returnURL: 'https://shop.example/return', billingAddress: ADDRESS },
    },
    anchor - HOUR,
  );
  for (const [cycle, createdAt] of collected) authorizeElsewhere(world, paymentId, cycle, createdAt);
  const at = toIso(anchor);
  const line = {
    ...{ subscriptionId, paymentId, amount: AMOUNT, repetition, startAt: at, firstPaymentAt: at },
    ...{ billingAddress: ADDRESS, payer: { reference: subscriptionId } },
  };
  const { url } = await world.daemon.says('admin API on ');
  expect(await importFile(url!, ADMIN_KEY, JSON.stringify(line))).toMatchObject([{ subscriptionId }]);
  return paymentId;
}

/** A successful authorization that the other system makes at the service. */
export function authorizeElsewhere({ sandbox }: World, paymentId: string, cycle: number, createdAt: Instant): void {
  sandbox.authorizeElsewhere(paymentId, { amount: AMOUNT.value, createdAt, cycle, result: 'successful' });
}
