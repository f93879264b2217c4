import { HOUR, toIso } from '../../src/domain/time';
import { createPaymentService, type PaymentService } from '../../src/payment-service';
import { silentLog } from '../support/silent-log';
import { waitUntil } from '../support/wait-until';
import { PERSONAL } from './order';
import { CREDENTIALS, type World } from './world';

/** Another program of the same merchant at the payment service. Close it. */
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

/** The line by which such a mandate is imported, as it was agreed. */
export function lineOf({ paymentId, firstPaymentAt, billingAddress }: Elsewhere, subscriptionId: string) {
  return {
    paymentId,
    subscriptionId,
    amount: { value: 1999, currency: 'EUR' },
    repetition: 'WEEKLY',
    startAt: toIso(firstPaymentAt),
    firstPaymentAt: toIso(firstPaymentAt),
    billingAddress,
    payer: {},
  };
}

/** A weekly mandate over 19.99 EUR whose first payment another program has collected. */
export async function collectedElsewhere(world: World) {
  const service = otherProgram(world);
  const amount = { value: 1999, currency: 'EUR' } as const;
  const firstPaymentAt = Math.ceil((world.clock.now() + 6 * HOUR) / HOUR) * HOUR;
  const billingAddress = { name: PERSONAL.name, street: PERSONAL.street, postalCode: '1', city: 'Bonn', country: 'DE' };
  const answer = await service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount,
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
  expect((await service.initiate(paymentId, amount)).kind).toBe('accepted');
  const isBooked = () => world.sandbox.payment(paymentId).debits.some(({ status }) => status === 'successful');
  await waitUntil('the first payment is booked', isBooked);
  await service.close();
  return { paymentId, firstPaymentAt, billingAddress };
}
