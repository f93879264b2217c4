import { type Instant, toIso } from '../../src/domain/time';
import type { PaymentService } from '../../src/payment-service';

const BAD_ONE_IN = 100;
const AMOUNT = { value: 1999, currency: 'EUR' } as const;
const ADDRESS = { name: 'Ada Byron', street: 'Ring 1', postalCode: '10115', city: 'Berlin', country: 'DE' };

/** A file to import, as NDJSON. */
export interface MandateFile {
  readonly text: string;
  /** Numbers of the bad lines, from 1, ascending. */
  readonly bad: readonly number[];
}

interface Wanted {
  readonly lines: number;
  readonly firstPaymentAt: Instant;
}

/** Mandates that payers granted without this program, every hundredth line bad in one way or another. */
export async function writeMandateFile(
  service: PaymentService,
  { lines: count, firstPaymentAt }: Wanted,
): Promise<MandateFile> {
  const lines: string[] = Array.from({ length: count });
  const bad: number[] = [];
  let next = 0;
  const write = async () => {
    for (let index = next++; index < count; index = next++) {
      const isBad = index % BAD_ONE_IN === BAD_ONE_IN / 2;
      if (isBad) bad.push(index + 1);
      lines[index] = isBad
        ? spoiled(mandateOf(index, 'pay_unknown', firstPaymentAt), bad.length)
        : JSON.stringify(mandateOf(index, await grantedPayment(service, firstPaymentAt), firstPaymentAt));
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
  return { text: `${lines.join('\n')}\n`, bad: bad.toSorted((one, other) => one - other) };
}

async function grantedPayment(service: PaymentService, firstPaymentAt: Instant): Promise<string> {
  const answer = await service.requestPayment({
    useCase: 'SUBSCRIPTION',
    amount: AMOUNT,
    returnURL: 'https://shop.example/',
    billingAddress: { ...ADDRESS, email: 'wallet+approves+auto@example.test' },
    repetition: 'MONTHLY',
    startAt: firstPaymentAt,
    firstPaymentAt,
  });
  if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer));
  return answer.value.paymentId;
}

function mandateOf(index: number, paymentId: string, firstPaymentAt: Instant): Record<string, unknown> {
  return {
    paymentId,
    amount: AMOUNT,
    repetition: 'MONTHLY',
    startAt: toIso(firstPaymentAt),
    firstPaymentAt: toIso(firstPaymentAt),
    billingAddress: ADDRESS,
    payer: { reference: `customer ${index}` },
    ...(index % 2 === 0 ? { subscriptionId: `old-${index}` } : {}),
  };
}

function spoiled(mandate: Record<string, unknown>, kind: number): string {
  const ways = [
    () => JSON.stringify(mandate),
    () => JSON.stringify({ ...mandate, amount: 1999 }),
    () => JSON.stringify({ ...mandate, colour: 'red' }),
    () => JSON.stringify(mandate).slice(0, -9),
    () => JSON.stringify({ ...mandate, payer: { reference: 'x'.repeat(70_000) } }),
  ];
  return ways[kind % ways.length]!();
}
