import { sameMoney } from '../domain/money';
import { toIso } from '../domain/time';
import type { ServiceResult } from './answer';
import { type Caller, type Operation, pathOf } from './caller';
import { type Items, readWhole } from './lists';
import type { Address, PaymentRequest, RefundOrder, ServiceCalls } from './payment-service';
import { authorization, capture, consent, listed, payment, recordOf, refund, type Refund } from './records';
import { consentPath, initiation, releasePath, type Spellings } from './spellings';

/** The calls of the service: path, body and expected answer of each. */
export function createCalls(call: Caller, spellings: Spellings, baseUrl: string): ServiceCalls {
  const list = <T>(operation: Operation, from: string, items: Items<T>): Promise<ServiceResult<readonly T[]>> =>
    readWhole(from, items, baseUrl, (path, read) => call({ operation, method: 'GET', path, read }));
  return {
    requestPayment: async (request, options) =>
      call({
        operation: 'request_payment',
        method: 'POST',
        path: pathOf(['payments']),
        body: toWire(request),
        beforeSend: options?.beforeSend,
        read: (body) => payment.safeParse(body).data ?? null,
      }),
    getConsent: async (paymentId) =>
      call({
        operation: 'get_consent',
        method: 'GET',
        path: consentPath(spellings, paymentId),
        read: recordOf(consent, paymentId),
      }),
    cancelConsent: async (paymentId, options) =>
      call({
        operation: 'cancel_consent',
        method: 'DELETE',
        path: pathOf([paymentId, 'consents']),
        beforeSend: options?.beforeSend,
        read: recordOf(consent, paymentId),
      }),
    initiate: async (paymentId, amount, options) => {
      const { path, named } = initiation(spellings, paymentId);
      return call({
        operation: 'initiate',
        method: 'POST',
        path,
        body: { ...named, amount },
        beforeSend: options?.beforeSend,
        read: recordOf(authorization, paymentId, (made) => sameMoney(made.amount, amount)),
      });
    },
    listAuthorizations: async (paymentId) =>
      list('list_authorizations', pathOf(['authorizations'], { paymentId }), {
        read: recordOf(listed.authorization, paymentId),
        idOf: (each) => each.authorizationId,
      }),
    release: async (paymentId, authorizationId, options) =>
      call({
        operation: 'release',
        method: 'DELETE',
        path: releasePath(spellings, paymentId, authorizationId),
        beforeSend: options?.beforeSend,
        read: recordOf(authorization, paymentId, (released) => released.authorizationId === authorizationId),
      }),
    capture: async (paymentId, { amount, finalCapture }, options) =>
      call({
        operation: 'capture',
        method: 'POST',
        path: pathOf(['captures']),
        body: { paymentId, amount, finalCapture },
        beforeSend: options?.beforeSend,
        read: recordOf(capture, paymentId, (made) => sameMoney(made.amount, amount)),
      }),
    listCaptures: async (paymentId, authorizationId) =>
      list('list_captures', pathOf(['captures'], { paymentId, authorizationId }), {
        read: recordOf(listed.capture, paymentId),
        idOf: (each) => each.captureId,
      }),
    refund: async (paymentId, order, options) =>
      call({
        operation: 'refund',
        method: 'POST',
        path: pathOf([paymentId, 'refunds']),
        body: { amount: order.amount, captureId: order.captureId },
        beforeSend: options?.beforeSend,
        read: recordOf(refund, paymentId, (made) => isOfOrder(made, order)),
      }),
    listRefunds: async (paymentId) =>
      list('list_refunds', pathOf([paymentId, 'refunds']), {
        read: recordOf(listed.refund, paymentId),
        idOf: (each) => each.refundId,
      }),
  };
}

/** The answer must name the amount that was ordered; a record without a captureId may still belong to this order. */
function isOfOrder(made: Refund, { amount, captureId }: RefundOrder): boolean {
  const isOther = captureId !== undefined && made.captureId !== undefined && made.captureId !== captureId;
  return sameMoney(made.amount, amount) && !isOther;
}

/** Only the named fields are sent, even if the objects have others; the JSON omits undefined ones. */
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
