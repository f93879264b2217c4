import type { FastifyReply, FastifyRequest } from 'fastify';
import { ID_FIELD } from '../faults/applied-contradictions';
import type { RecordKind } from '../faults/contradictions';
import type { Authorization, Capture, Payment, Refund } from '../payments/records';
import { Refusal } from '../refusal';
import type { Service } from '../service';
import { authorizationView, captureView, refundView } from '../wire';

type RecordOf = { readonly authorizations: Authorization; readonly captures: Capture; readonly refunds: Refund };
type View = Record<string, unknown>;

function render<Kind extends RecordKind>(service: Service, payment: Payment, on: Kind, record: RecordOf[Kind]): View {
  const views = { authorizations: authorizationView, captures: captureView, refunds: refundView };
  return (views[on] as (payment: Payment, record: RecordOf[Kind], style: Service['settings']) => View)(
    payment,
    record,
    service.settings,
  );
}

/** Responds to the POST that created a record. */
export function sendCreated<Kind extends RecordKind>(
  service: Service,
  reply: FastifyReply,
  payment: Payment,
  on: Kind,
  record: RecordOf[Kind],
): FastifyReply {
  const answer = service.contradictions.answer(payment, on, record, render(service, payment, on, record));
  if ('view' in answer) return reply.code(201).send(answer.view);
  return reply.code(new Refusal(String(answer.refused['detail']), '').statusCode).send(answer.refused);
}

/** Responds with a list of records. `named`: fields by which the query may select records. */
export function sendList<Kind extends RecordKind>(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  payment: Payment,
  on: Kind,
  { records, named }: { readonly records: readonly RecordOf[Kind][]; readonly named: View },
): FastifyReply {
  const isSelected = (view: Readonly<View>): boolean =>
    Object.entries(named).every(([field, value]) => value === undefined || view[field] === value);
  const { body, headers } = service.contradictions.list(
    payment,
    on,
    records,
    (record) => render(service, payment, on, record as RecordOf[Kind]),
    { url: request.url, isSelected, isWhole: named[ID_FIELD[on]] === undefined },
  );
  return reply.headers(headers).send(body);
}
