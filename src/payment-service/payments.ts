import { z } from 'zod';
import { toIso } from '../domain/time';
import { type Caller, pathOf } from './caller';
import type { Address, PaymentRequest, Payment, PaymentService } from './payment-service';
import * as field from './wire';

const payment = z
  .object({
    paymentId: field.paymentId,
    status: field.statusOf(['pending', 'successful', 'failed', 'cancelled', 'released', 'expired']),
    consentId: field.decoration(field.id),
    createdAt: field.decoration(field.instant),
    redirectURL: field.decoration(z.url({ protocol: /^https?$/ })),
    partialCapture: field.decoration(z.boolean()),
    multipleCapture: field.decoration(z.boolean()),
    multiCapture: field.decoration(z.boolean()),
    result: z.unknown().optional(),
  })
  .transform(({ status, multipleCapture, multiCapture, result, ...rest }): Payment => {
    const word = field.saysFailed(result) ? 'failed' : status.result;
    return { ...rest, status: word, multipleCapture: multipleCapture ?? multiCapture };
  });

function readPayment(body: unknown): Payment | null {
  return payment.safeParse(body).data ?? null;
}

export function createPayments(call: Caller): Pick<PaymentService, 'requestPayment'> {
  return {
    requestPayment: async (request, options) =>
      call({
        operation: 'request_payment',
        method: 'POST',
        path: pathOf(['payments']),
        body: toWire(request),
        beforeSend: options?.beforeSend,
        read: readPayment,
      }),
  };
}

/** Only the named fields leave, even if the objects carry others; undefined ones drop out of the JSON. */
function toWire(request: PaymentRequest): Record<string, unknown> {
  return {
    useCase: request.useCase,
    amount: request.amount,
    returnURL: request.returnURL,
    billingAddress: addressToWire(request.billingAddress),
    shippingAddress: request.shippingAddress && addressToWire(request.shippingAddress),
    ...planToWire(request),
  };
}

function planToWire(request: PaymentRequest): Record<string, unknown> {
  switch (request.useCase) {
    case 'SINGLE':
      return {};
    case 'EVENT_DEPENDENT': {
      const { timeToCapture, partialCapture, multipleCapture } = request;
      return { timeToCapture, partialCapture, multipleCapture };
    }
    case 'SUBSCRIPTION': {
      const { repetition, startAt, firstPaymentAt, endAt } = request;
      return {
        repetition,
        startAt: toIso(startAt),
        firstPaymentAt: toIso(firstPaymentAt),
        endAt: endAt === undefined ? undefined : toIso(endAt),
      };
    }
  }
}

function addressToWire({ name, street, postalCode, city, country, email }: Address): Address {
  return { name, street, postalCode, city, country, email };
}
