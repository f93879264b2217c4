import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Payment } from '../payments/records';
import { failure } from '../refusal';
import type { Service } from '../service';
import { RECORD_KINDS } from './contradictions';
import { pathOf } from './hooks';

/** Sends the response of a matching contradiction instead of executing the request. @returns whether it sent one */
export async function contradict(
  { contradictions }: Service,
  payment: Payment,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const path = pathOf(request);
  const isConsent = path.endsWith('/consents');
  const gone = isConsent ? contradictions.ofAnswer('consent_gone', payment) : undefined;
  if (gone !== undefined) return refuse(reply, gone.status, 'there is no such consent');
  if (isConsent && request.method === 'DELETE') {
    const refusal = contradictions.ofAnswer('cancellation_refused', payment);
    return refusal === undefined ? false : refuse(reply, refusal.status, 'the consent cannot be cancelled');
  }
  const on = RECORD_KINDS.find((kind) => path.endsWith(`/${kind}`));
  const outage = request.method === 'POST' && on !== undefined ? contradictions.outage(payment, on) : null;
  return outage === null ? false : refuse(reply, outage.status, 'the service takes no requests for now');
}

const DETAILS: Readonly<Record<number, string>> = {
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'STATE_CONFLICT',
  410: 'GONE',
  422: 'INVALID_REQUEST',
};

async function refuse(reply: FastifyReply, status: number, description: string): Promise<boolean> {
  await reply.code(status).send(failure({ detail: DETAILS[status] ?? 'INTERNAL_ERROR', description }));
  return true;
}
