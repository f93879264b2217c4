import { z } from 'zod';
import { readList } from './answer';
import { readAuthorization } from './authorizations';
import { type Caller, pathOf } from './caller';
import type { CaptureOrder, PaymentService, RefundOrder, Capture, Refund } from './payment-service';
import { releasePath, type Spellings } from './spellings';
import * as field from './wire';

const capture = z
  .object({
    paymentId: field.paymentId,
    captureId: field.captureId,
    authorizationId: field.authorizationId,
    amount: field.money,
    createdAt: field.instant,
    status: field.statusOf(['pending', 'successful', 'failed']),
    finalCapture: field.decoration(z.boolean()),
    result: z.unknown().optional(),
    detail: field.decoration(field.detail),
    description: field.decoration(field.text),
  })
  .refine(field.agreesWithItself)
  .transform(({ status, result, ...rest }): Capture => {
    return { ...rest, status: field.saysFailed(result) ? 'failed' : status.result };
  });

function readCapture(paymentId: string) {
  return (body: unknown): Capture | null => {
    const parsed = capture.safeParse(body);
    return parsed.success && parsed.data.paymentId === paymentId ? parsed.data : null;
  };
}

function readOrderedCapture(paymentId: string, order: CaptureOrder) {
  const read = readCapture(paymentId);
  return (body: unknown): Capture | null => {
    const made = read(body);
    return made !== null && made.amount.value === order.amount.value ? made : null;
  };
}

export function createCaptures(call: Caller): Pick<PaymentService, 'capture' | 'listCaptures'> {
  return {
    capture: async (paymentId, order, options) =>
      call({
        operation: 'capture',
        method: 'POST',
        path: pathOf(['captures']),
        body: { paymentId, amount: order.amount, finalCapture: order.finalCapture },
        beforeSend: options?.beforeSend,
        read: readOrderedCapture(paymentId, order),
      }),
    listCaptures: async (paymentId, authorizationId) =>
      call({
        operation: 'list_captures',
        method: 'GET',
        path: pathOf(['captures'], { paymentId, authorizationId }),
        read: readList(readCapture(paymentId)),
      }),
  };
}

const refund = z
  .object({
    paymentId: field.paymentId,
    refundId: field.id,
    amount: field.money,
    createdAt: field.instant,
    status: field.statusOf(['pending', 'successful', 'failed']),
    captureId: field.decoration(field.captureId),
    result: z.unknown().optional(),
    detail: field.decoration(field.detail),
    description: field.decoration(field.text),
  })
  .refine(field.agreesWithItself)
  .transform(({ status, result, ...rest }): Refund => {
    return { ...rest, status: field.saysFailed(result) ? 'failed' : status.result };
  });

function readRefund(paymentId: string) {
  return (body: unknown): Refund | null => {
    const parsed = refund.safeParse(body);
    return parsed.success && parsed.data.paymentId === paymentId ? parsed.data : null;
  };
}

/** The answer must name the amount that was ordered; a record that names no capture may still be of this order. */
function readOrderedRefund(paymentId: string, order: RefundOrder) {
  const read = readRefund(paymentId);
  return (body: unknown): Refund | null => {
    const made = read(body);
    if (made === null || made.amount.value !== order.amount.value) return null;
    const named = order.captureId !== undefined && made.captureId !== undefined;
    return named && made.captureId !== order.captureId ? null : made;
  };
}

export function createRefunds(call: Caller): Pick<PaymentService, 'refund' | 'listRefunds'> {
  return {
    refund: async (paymentId, order, options) =>
      call({
        operation: 'refund',
        method: 'POST',
        path: pathOf([paymentId, 'refunds']),
        body: { amount: order.amount, captureId: order.captureId },
        beforeSend: options?.beforeSend,
        read: readOrderedRefund(paymentId, order),
      }),
    listRefunds: async (paymentId) =>
      call({
        operation: 'list_refunds',
        method: 'GET',
        path: pathOf([paymentId, 'refunds']),
        read: readList(readRefund(paymentId)),
      }),
  };
}

export function createReleases(call: Caller, spellings: Spellings): Pick<PaymentService, 'release'> {
  return {
    release: async (paymentId, authorizationId, options) => {
      const read = readAuthorization(paymentId);
      return call({
        operation: 'release',
        method: 'DELETE',
        path: releasePath(spellings, paymentId, authorizationId),
        beforeSend: options?.beforeSend,
        read: (body) => {
          const released = read(body);
          return released?.authorizationId === authorizationId ? released : null;
        },
      });
    },
  };
}
