import { type KnownRecord, revived } from '../src/domain/evidence';
import { matchSent } from '../src/domain/send';
import type { SendRecord } from '../src/ledger';
import { type ServiceResult, unknown } from '../src/payment-service';
import { checkCaptures, gapIn, idsOf } from './pre-send-check';
import { AGREEING_LOOKS, doubtBegins, SENDS_IN_VAIN, untilNextLook } from './send-limits';
import type { Sending } from './sending';

/** What came of asking about a row without an outcome. */
export type Settled =
  /** The row says more than before. */
  | { readonly kind: 'moved' }
  /** Never made; not `isRecorded` where a person has resolved it since it was read: that resolution stands. */
  | { readonly kind: 'never_made'; readonly isRecorded: boolean }
  /** Not listed, which proves nothing yet. How long to pause follows from what the pause would else be, real ms. */
  | { readonly kind: 'absent'; readonly untilNextLook: (pause: number) => number }
  /** What is listed fits nothing. For a person; the asking goes on. */
  | { readonly kind: 'unclear'; readonly reason: string }
  | { readonly kind: 'unreadable'; readonly answer: ServiceResult<unknown> };

/** Sent, or perhaps sent, with an outcome that is not known: asks what became of it, and never sends (rules 17, 18). */
export async function settle(sending: Sending, row: SendRecord): Promise<Settled> {
  if (row.state === 'sending') return markUnknown(sending, row);
  const { progress, place, list, heldIds, known, record, reopen } = sending;
  progress('reconciling', { ...place, send: row.send });
  const answer = await list();
  if (answer.kind !== 'accepted') return { kind: 'unreadable', answer };
  const match = matchSent(answer.value, { ...row, heldIds: await heldIds() });
  switch (match.kind) {
    case 'found':
      await record(row.send, { state: 'taken', made: match.record });
      return { kind: 'moved' };
    case 'unclear':
      return unclear(sending, row, `the service lists ${idsOf(match.records).join(', ')}, which do not fit`);
    case 'absent': {
      const own = await known();
      for (const again of revived(answer.value, [], own)) await reopen?.(again);
      const gap = gapIn(sending, answer, own);
      return gap === null ? absent(sending, row, own) : undecided(sending, row, unknown(gap.reason));
    }
  }
}

/** What cannot be read in whole proves nothing, and no check in a row agrees with it. */
async function undecided({ recordLook }: Sending, row: SendRecord, answer: ServiceResult<unknown>): Promise<Settled> {
  await recordLook(row.send, { absent: false });
  return { kind: 'unreadable', answer };
}

/**
 * The row stands without an outcome: a process died, or is frozen, or waits for its answer this moment. The settle time
 * begins when its POST cannot be on the wire any more.
 */
async function markUnknown({ deps, record }: Sending, { send, sendingRealAt }: SendRecord): Promise<Settled> {
  const sinceReal = doubtBegins(sendingRealAt, deps.clock.realNow(), deps.settings);
  await record(send, { state: 'unknown', reason: 'no outcome was recorded', sinceReal });
  return { kind: 'moved' };
}

async function unclear({ record, recordLook }: Sending, row: SendRecord, reason: string): Promise<Settled> {
  await recordLook(row.send, { absent: false });
  if (row.state !== 'unresolved') await record(row.send, { state: 'unresolved', reason });
  return { kind: 'unclear', reason };
}

/**
 * Not there. Only after the settle time, twice in a row, and if no capture shows it, does that mean that it was never made. What
 * the service has accepted was made, whatever its lists say (rule 38).
 */
async function absent(sending: Sending, row: SendRecord, known: readonly KnownRecord[]): Promise<Settled> {
  const { deps, record, recordLook, reopen } = sending;
  const now = deps.clock.realNow();
  const settledAt = (row.unknownSinceReal ?? now) + deps.settings.settle;
  const untilNext = (pause: number) => untilNextLook(pause, now, settledAt);
  if (row.acceptedAnswer !== null) {
    if (row.state !== 'unresolved' && now < settledAt) return { kind: 'absent', untilNextLook: untilNext };
    const reason = `the service accepted it as ${row.acceptedAnswer}, and does not list it`;
    return unclear(sending, row, row.state === 'unresolved' ? (row.reason ?? reason) : reason);
  }
  const looked = await recordLook(row.send, { absent: now >= settledAt });
  if (looked === null || looked.absentLooks < AGREEING_LOOKS) return { kind: 'absent', untilNextLook: untilNext };
  if ((await sending.sendsInVain()) >= SENDS_IN_VAIN) {
    // The end of its window decides, if it has one; without one an operator does.
    if (sending.sendBefore !== null) return { kind: 'absent', untilNextLook: untilNext };
    return unclear(sending, row, 'sent three times, and the service neither answered readably nor lists it');
  }
  const stray = await checkCaptures(sending, known);
  switch (stray?.kind) {
    case undefined:
      break;
    case 'unreadable':
      return undecided(sending, row, stray.answer);
    case 'again':
      await reopen?.(stray.again);
      break;
    case 'unresolved':
      return unclear(sending, row, stray.reason);
  }
  const reason = 'absent after the settle time, twice in a row';
  return { kind: 'never_made', isRecorded: await record(row.send, { state: 'not_sent', reason }) };
}
