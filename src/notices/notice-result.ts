import { SECOND } from '../domain/time';
import type { Notice, NoticeBody, PayerNoticeBody } from './notice-body';

/** A code and no message: messages of network errors name hosts, addresses and what the peer said (rule 28). */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no code';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'no code';
}

/**
 * Real milliseconds to wait after a notice's n-th delivery in vain, n counted from 1; the last wait is repeated.
 * @throws RangeError where there is no n-th delivery, or no wait at all.
 */
export function noticeBackoff(delivery: number, seconds: readonly number[]): number {
  const wait = seconds[Math.min(delivery, seconds.length) - 1];
  if (wait === undefined || !Number.isInteger(delivery)) {
    throw new RangeError(
      `deliveries are counted from 1 and need one wait or more; got ${delivery} of ${seconds.length}`,
    );
  }
  return wait * SECOND;
}

/** Why a notice counts as delivered: a status, a server's answer. No personal data. */
export type Evidence = Readonly<Record<string, string | number>>;

export interface ChannelDelivered {
  readonly kind: 'delivered';
  /** Stands in the ledger and the trail. */
  readonly channel: string;
  readonly evidence: Evidence;
  /** Real time, epoch milliseconds. */
  readonly at: number;
}

/** `gone`: the receiver wants no more of these (410): stop and alert. */
export interface ChannelMissed {
  readonly kind: 'failed' | 'gone';
  readonly channel: string;
  readonly reason: string;
}

export type ChannelResult = ChannelDelivered | ChannelMissed;

/** A way to a receiver. */
export interface Channel<B extends NoticeBody = NoticeBody> {
  /** Stands in its results. */
  readonly name: string;
  /** Tries once. */
  send(notice: Notice<B>): Promise<ChannelResult>;
  close(): Promise<void>;
}

/** A way to payers. */
export interface PayerChannel extends Channel<PayerNoticeBody> {
  /** What this payer lacks to be reached by it; null where nothing. */
  lacks(payer: PayerNoticeBody['data']['payer']): string | null;
}

/**
 * What one try to deliver came to. `delivered` by the channel named, and `others` says how the remaining one fared: a
 * `gone` there wants an alert too. `failed`: try again with back-off, on those of the channels that are not gone.
 * `trail_only`: a merchant notice without an event webhook. `no_channel`: a payer notice that nothing configured can carry
 * to this payer.
 */
export type NoticeResult =
  | (ChannelDelivered & { readonly others: readonly ChannelResult[] })
  | { readonly kind: 'failed'; readonly reason: string; readonly others: readonly ChannelResult[] }
  | { readonly kind: 'gone'; readonly reason: string }
  | { readonly kind: 'trail_only' }
  | { readonly kind: 'no_channel'; readonly reason: string };

/** Either channel delivered is informed; it is gone only where no channel is left to try again. */
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
