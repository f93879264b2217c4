import type { Cell } from '../../domain/csv';
import { dueAt } from '../../domain/subscription/schedule';
import { isoOrNull, type Instant, toIso } from '../../domain/time';
import { amountBeforeChange, type ExportedSubscription, nextUntriedCycle } from '../../ledger';
import { JSON_CELLS } from './csv';

/**
 * A subscription as a line of an import. A cancellation in progress counts as cancelled, so that no other installation collects.
 * The subscription that this one replaced has ended here, and is left out.
 * @param showsPayer without it, only the payer's reference and language are included, and the line cannot be imported
 */
export function exportLine(exported: ExportedSubscription, showsPayer: boolean, now: Instant): Record<string, unknown> {
  const { payer, metadata, currentAmount } = exported;
  const next = nextUntriedCycle(exported, now);
  return withoutNulls({
    subscriptionId: exported.subscriptionId,
    paymentId: exported.paymentId,
    amount: next === null ? currentAmount : amountBeforeChange(exported, next),
    consentAmount: exported.consentAmount,
    repetition: exported.repetition,
    startAt: toIso(exported.startAt),
    firstPaymentAt: toIso(exported.firstPaymentAt),
    endAt: isoOrNull(exported.endAt),
    collectFrom: next === null ? null : toIso(dueAt(exported, next)),
    lastIncreaseAt: isoOrNull(exported.lastIncreaseAt),
    onExhausted: exported.onExhausted,
    billingAddress: showsPayer ? payer.billingAddress : null,
    shippingAddress: showsPayer ? payer.shippingAddress : null,
    payer: withoutNulls({
      email: showsPayer ? payer.email : null,
      reference: payer.reference,
      language: payer.language ?? null,
    }),
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    state: stateOf(exported),
  });
}

function stateOf({ status: stored, stoppedBy, pauses, skips, postponements, pendingChange }: ExportedSubscription) {
  const isLive = stored === 'active' || stored === 'paused';
  const status =
    isLive && stoppedBy === 'cancel' ? 'cancelled' : stored === 'active' && stoppedBy === 'pause' ? 'paused' : stored;
  const pause = stored === 'paused' && status === 'paused' ? pauses.at(-1) : undefined;
  const change = pendingChange === null ? null : { amount: pendingChange.amount, fromCycle: pendingChange.fromCycle };
  return withoutNulls({
    status,
    pausedSince: isoOrNull(pause?.since ?? null),
    pausedUntil: isoOrNull(pause?.until ?? null),
    skippedCycles: skips.length === 0 ? null : skips.toSorted((one, other) => one - other),
    postponements: postponements?.map(({ cycle, until }) => ({ cycle, until: toIso(until) })) ?? null,
    pendingAmountChange: change,
  });
}

function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

const ADDRESS = ['name', 'street', 'postalCode', 'city', 'country', 'email'];

/** The fields of a line, with dots for nested ones. */
export const EXPORT_COLUMNS: readonly string[] = [
  ...[
    'subscriptionId',
    'paymentId',
    'amount.value',
    'amount.currency',
    'consentAmount.value',
    'consentAmount.currency',
  ],
  ...['repetition', 'startAt', 'firstPaymentAt', 'endAt', 'collectFrom', 'lastIncreaseAt', 'onExhausted'],
  ...ADDRESS.map((field) => `billingAddress.${field}`),
  ...ADDRESS.map((field) => `shippingAddress.${field}`),
  ...['payer.email', 'payer.reference', 'payer.language', 'metadata'],
  ...['state.status', 'state.pausedSince', 'state.pausedUntil', 'state.skippedCycles', 'state.postponements'],
  ...['state.pendingAmountChange.amount.value', 'state.pendingAmountChange.amount.currency'],
  'state.pendingAmountChange.fromCycle',
];

export function exportCells(line: Readonly<Record<string, unknown>>): Cell[] {
  return EXPORT_COLUMNS.map((name) => {
    const value = name.split('.').reduce<unknown>((inner, field) => (inner as Fields | undefined)?.[field], line);
    return JSON_CELLS.has(name) && value !== undefined ? jsonCell(value) : ((value ?? null) as Cell);
  });
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Escapes in the JSON the characters that might start a formula: `csvLine` would put an apostrophe before each, which would
 * change the value.
 */
function jsonCell(value: unknown): string {
  return JSON.stringify(value).replace(
    /(?<=[;,"'])[=+\-@\uff1d\uff0b\uff0d\uff20]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
