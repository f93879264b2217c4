import { z } from 'zod';
import { type Caller, pathOf } from './caller';
import { readList } from './answer';
import type { PaymentService, Authorization } from './payment-service';
import { initiation, type Spellings } from './spellings';
import * as field from './wire';

const authorization = z
  .object({
    paymentId: field.paymentId,
    authorizationId: field.authorizationId,
    amount: field.money,
    createdAt: field.instant,
    status: field.statusOf(['pending', 'successful', 'failed', 'released', 'expired', 'cancelled']),
    timeToCapture: field.decoration(z.int().positive()),
    result: z.unknown().optional(),
    detail: field.decoration(field.detail),
    description: field.decoration(field.text),
  })
  .refine(field.agreesWithItself)
  .transform(({ status, result, ...rest }): Authorization => {
    const word = field.saysFailed(result) ? 'failed' : status.result;
    return { ...rest, status: word === 'cancelled' ? 'released' : word };
  });

/** One authorization of the payment named; null for any other body. */
export function readAuthorization(paymentId: string) {
  return (body: unknown): Authorization | null => {
    const parsed = authorization.safeParse(body);
    return parsed.success && parsed.data.paymentId === paymentId ? parsed.data : null;
  };
}

export function createAuthorizations(
  call: Caller,
  spellings: Spellings,
): Pick<PaymentService, 'initiate' | 'listAuthorizations'> {
  return {
    initiate: async (paymentId, amount, options) => {
      const read = readAuthorization(paymentId);
      const { path, named } = initiation(spellings, paymentId);
      return call({
        operation: 'initiate',
        method: 'POST',
        path,
        body: { ...named, amount },
        beforeSend: options?.beforeSend,
        read: (body) => {
          const made = read(body);
          return made !== null && made.amount.value === amount.value ? made : null;
        },
      });
    },
    listAuthorizations: async (paymentId) =>
      call({
        operation: 'list_authorizations',
        method: 'GET',
        path: pathOf(['authorizations'], { paymentId }),
        read: readList(readAuthorization(paymentId)),
      }),
  };
}
