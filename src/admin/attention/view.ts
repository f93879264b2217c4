import type { AttemptState } from '../../domain/send';
import { formatMoney } from '../../domain/money';
import { toIso } from '../../domain/time';
import type { AttentionItem, Evidence, Halt, KeyPowers } from '../../ledger';
import { viewPayer } from '../payers/schema';
import { describeItem } from './kinds';
import type { AttentionOut, EvidenceOut } from './schema';

/** An item as the API shows it to this caller. @param halt the current halt, for the item that is about it */
export function viewAttention(
  item: AttentionItem,
  caller: Pick<KeyPowers, 'role' | 'scopes'>,
  halt: Halt | null = null,
): AttentionOut {
  const [ledger, service] = [ledgerOf(item), serviceOf(item)];
  return {
    ...item,
    item: item.itemId,
    payer: item.subscriptionId === null && item.paymentId === null ? undefined : viewPayer(item.payer, caller),
    related: [...item.related],
    ...describeItem(item, halt),
    ledger,
    service,
    evidence: compareSides(ledger, service, item.source === 'difference'),
  };
}

function ledgerOf({ source, ledger, status, attempt }: AttentionItem): EvidenceOut | null {
  if (source === 'difference' || ledger !== null) return viewEvidence(ledger);
  if (attempt.state === null) return status === null ? null : { state: status };
  const { state, amount, at, authorizationId: id, detail, reason } = attempt;
  return { state, amount, at, id, detail: reason ?? detail };
}

/** What the service reported: about the authorization of an attempt, or else about the consent. */
function serviceOf({ source, service, consent, attempt }: AttentionItem): EvidenceOut | null {
  if (source === 'difference' || source === 'order' || service !== null) return viewEvidence(service);
  if (attempt.state === null) {
    return consent.status === null ? null : { state: `consent ${consent.status}`, at: consent.checkedAt };
  }
  const state = REPORTED[attempt.state];
  const { amount, authorizationCreatedAt: at, authorizationId: id, detail } = attempt;
  return state === null ? null : { state, amount, at, id, detail };
}

function viewEvidence(evidence: Evidence | null): EvidenceOut | null {
  return evidence === null ? null : { ...evidence, at: evidence.at === undefined ? null : Date.parse(evidence.at) };
}

/** What the service reported about the authorization or debit of an attempt in this state; null if nothing. */
const REPORTED: Readonly<Record<AttemptState, string | null>> = {
  sending: null,
  unknown: null,
  unresolved: null,
  not_sent: null,
  pending: 'pending',
  successful: 'successful',
  rejected: 'failed',
  rejected_retryable: 'failed',
  capture_failed: 'capture failed',
};

type EvidenceRow = AttentionOut['evidence'][number];

/** @param areBothExpected whether a missing record on one side is a difference */
function compareSides(
  ledger: EvidenceOut | null,
  service: EvidenceOut | null,
  areBothExpected: boolean,
): EvidenceRow[] {
  const [ours, theirs] = [textsOf(ledger), textsOf(service)];
  const isOneMissing = areBothExpected && (ledger === null) !== (service === null);
  return (['state', 'amount', 'at', 'id', 'detail'] as const).flatMap((what) => {
    const row = { what, ledger: ours[what], service: theirs[what] };
    if (row.ledger === null && row.service === null) return [];
    return [{ ...row, differs: COMPARED[what](row.ledger, row.service) || (what === 'state' && isOneMissing) }];
  });
}

function textsOf(side: EvidenceOut | null): Readonly<Record<EvidenceRow['what'], string | null>> {
  const { state = null, amount = null, at = null, id = null, detail = null } = side ?? {};
  const amountText = amount === null ? null : formatMoney(amount);
  return { state, amount: amountText, at: at === null ? null : toIso(at), id, detail };
}

type Compare = (ledger: string | null, service: string | null) => boolean;

/** Each side has its own times, ids and details. */
const isNeverCompared: Compare = () => false;

const COMPARED: Readonly<Record<EvidenceRow['what'], Compare>> = {
  state: (ledger, service) => areUnequal(OUTCOMES[ledger ?? ''] ?? null, OUTCOMES[service ?? ''] ?? null),
  amount: areUnequal,
  at: isNeverCompared,
  id: isNeverCompared,
  detail: isNeverCompared,
};

function areUnequal(ledger: string | null, service: string | null): boolean {
  return ledger !== null && service !== null && ledger !== service;
}

/** The outcome that a state of either side means. Other states contradict nothing. */
const OUTCOMES: Readonly<Record<string, string>> = {
  pending: 'pending',
  successful: 'successful',
  failed: 'failed',
  rejected: 'failed',
  rejected_retryable: 'failed',
  capture_failed: 'capture failed',
  'capture failed': 'capture failed',
};
