import { z } from 'zod';
import type { EventData } from '../../domain/audit/event';

const TEXT_LENGTH = 1_000;

const text = (most: number) => (example: string) =>
  z
    .string()
    .max(most)
    .meta({ examples: [example] });
const id = text(200);
const word = text(TEXT_LENGTH);
const whole = (example: number) =>
  z
    .int()
    .min(0)
    .meta({ examples: [example] });
const flag = (example: boolean) => z.boolean().meta({ examples: [example] });
const time = (example: string) => z.iso.datetime().meta({ examples: [example] });
const money = (cents: number) =>
  z
    .object({ value: z.int().min(0), currency: z.literal('EUR') })
    .meta({ description: 'Minor units: 1999 is 19.99 EUR', examples: [{ value: cents, currency: 'EUR' }] });

/** The fields of `data` that only some types have. Most have the same name in the audit log, see {@link Fields.also}. */
export const FIELDS = {
  cycle: whole(3),
  attempt: whole(0),
  amount: money(1999),
  previousAmount: money(1499),
  captured: money(500),
  remaining: money(1499),
  dueAt: time('2027-03-31T09:00:00.000Z'),
  collectedAt: time('2027-03-31T09:00:04.000Z'),
  retryAt: time('2027-04-01T09:00:00.000Z'),
  retriesLeft: whole(3),
  willRetry: flag(true),
  late: flag(false),
  adopted: flag(false),
  detail: word('AUTHORIZATION_REJECTION_RETRYABLE'),
  outcome: word('collected'),
  paidCycle: whole(2),
  authorizationId: id('auth-1'),
  captureId: id('cap-1'),
  linkPaymentId: id('pay-2'),
  expiresAt: time('2027-04-09T09:10:00.000Z'),
  isSecondDebit: flag(false),
  refundId: id('ref_1'),
  serviceRefundId: id('refund-1'),
  orderId: id('cap_1'),
  postponedUntil: time('2027-04-03T08:00:00.000Z'),
  until: time('2027-05-01T00:00:00.000Z'),
  since: time('2027-03-01T00:00:00.000Z'),
  from: time('2027-04-30T09:00:00.000Z'),
  by: id('sub_2'),
  cancelledBy: word('payer'),
  cycles: whole(12),
  fromCycle: whole(3),
  effectiveAt: time('2027-03-31T09:00:00.000Z'),
  kind: word('increase'),
  countsAsIncrease: flag(true),
  captureBy: time('2027-04-07T09:00:00.000Z'),
  noticeId: id('msg_1'),
  notice: word('payment.failed'),
  channel: word('webhook'),
  itemKey: word('unresolved:3'),
  entries: whole(1204),
  head: id('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  endpointId: id('whe_1'),
} as const;

export type FieldName = keyof typeof FIELDS;

/** Shortens a text: external texts have no known maximum length, and a body must stay under 20 kB. */
export function cut(value: unknown, length = TEXT_LENGTH): unknown {
  return typeof value === 'string' && value.length > length ? `${value.slice(0, length - 1)}…` : value;
}

/** The fields of `data` for a type. */
export interface Fields {
  readonly fields: readonly FieldName[];
  /** Fields that the audit log has under another name, or not at all. */
  readonly also?: (data: EventData) => Partial<Record<FieldName, unknown>>;
}

/** The fields read from the data of an audit entry; a field is null if the data has no value that fits. */
export function fieldsOf({ fields, also }: Fields, data: EventData): EventData {
  const source: EventData = { ...data, ...also?.(data) };
  return Object.fromEntries(
    fields.map((name) => {
      const read = FIELDS[name].safeParse(cut(source[name]));
      return [name, read.success ? read.data : null];
    }),
  );
}

export function schemaOf({ fields }: Fields) {
  return Object.fromEntries(fields.map((name) => [name, FIELDS[name].nullable()]));
}

/** The sample data of the type. */
export function sampleOf({ fields }: Fields): EventData {
  const exampleOf = (name: FieldName): unknown => (FIELDS[name].meta()?.['examples'] as readonly unknown[])[0];
  return Object.fromEntries(fields.map((name) => [name, exampleOf(name)]));
}
