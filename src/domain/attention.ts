import type { DifferenceKind } from './reconciliation/records';

/** What an attention item can be about. */
export type AttentionKind =
  | 'orphaned'
  | 'unresolved'
  | 'pending_past_window'
  | 'unlisted'
  | 'capture_failed'
  | 'notice_undeliverable'
  | 'amount_change_dropped'
  | 'debit_after_cancel'
  | 'overdue'
  | 'installation'
  | 'sending_halted'
  | 'refund_unresolved'
  | 'capture_unresolved'
  | 'release_unresolved'
  | 'cancellation_unconfirmed'
  | 'consent_unreadable'
  | 'consent_unsettled'
  | 'dead_letter'
  | 'contradiction'
  | 'list_incomplete'
  | 'unrecordable'
  | DifferenceKind;
