import { SECOND } from '../domain/time';
import type { Notice, NoticeBody, PayerNoticeBody } from './notice-body';

/** The code of an error, else its name: messages of network errors contain hosts, addresses and text of the peer (rule 28). */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no code';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'no code';
}

/**
 * Real milliseconds to wait after the n-th failed delivery of a notice, counted from 1; the last wait is repeated.
 * @throws RangeError if `delivery` is not a positive integer, or there is no wait at all
 */
export function noticeBackoff(delivery: number, seconds: readonly number[]): number {
  const wait = seconds[Math.min(delivery, seconds.length) - 1];
  if (wait === undefined || !Number.isInteger(delivery)) {
    throw new RangeError(`expected a delivery from 1 and at least one wait; got ${delivery} of ${seconds.length}`);
  }
  return wait * SECOND;
}

/** Why a notice counts as delivered, such as a status or a server's response. No personal data. */
export type Evidence = Readonly<Record<string, string | number>>;

export interface ChannelDelivered {
  readonly kind: 'delivered';
  /** Stored in the ledger and the audit log. */
  readonly channel: string;
  readonly evidence: Evidence;
  /** Real time, epoch milliseconds. */
  readonly at: number;
}

/** `gone`: the receiver refuses further notices (410): stop and alert. */
export interface ChannelMissed {
  readonly kind: 'failed' | 'gone';
  readonly channel: string;
  readonly reason: string;
}

export type ChannelResult = ChannelDelivered | ChannelMissed;

/** A channel to a receiver. */
export interface Channel<B extends NoticeBody = NoticeBody> {
  /** The channel's name in results. */
  readonly name: string;
  /** Tries to deliver once. */
  send(notice: Notice<B>): Promise<ChannelResult>;
  close(): Promise<void>;
}

/** A channel to payers. */
export interface PayerChannel extends Channel<PayerNoticeBody> {
  /** What is missing to reach this payer through it; null if nothing. */
  lacks(payer: PayerNoticeBody['data']['payer']): string | null;
}

/**
 * The result of one attempt to deliver. `delivered`: by the named channel; `others` has the results of the other channels,
 * among which `gone` also needs an alert. `failed`: try again with back-off, on the channels that are not gone. `audit_only`: a
 * merchant notice without an event webhook. `no_channel`: no configured channel can reach this payer.
 */
export type NoticeResult =
  | (ChannelDelivered & { readonly others: readonly ChannelResult[] })
  | { readonly kind: 'failed'; readonly reason: string; readonly others: readonly ChannelResult[] }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'audit_only' }
  | { readonly kind: 'no_channel'; readonly reason: string };

/** Delivered if any channel delivered it; gone only if no channel is left to try again. */
export function combine(results: readonly ChannelResult[]): NoticeResult {
  const delivered = results.find((result) => result.kind === 'delivered');
  if (delivered !== undefined) return { ...delivered, others: results.filter((result) => result !== delivered) };
  const missed = results.filter((result) => result.kind !== 'delivered');
  const failed = missed.find((result) => result.kind === 'failed');
  if (failed !== undefined) {
    const reason = missed.map((result) => result.reason).join('; ');
    return { kind: 'failed', reason, others: missed.filter((result) => result !== failed) };
  }
  const [gone] = missed;
  return gone === undefined
    ? { kind: 'no_channel', reason: 'no channel to the payer' }
    : { kind: 'gone', reason: gone.reason };
}
