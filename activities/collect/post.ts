import type { Send, SendResult, ServiceRecord } from '../../src/domain/attempt/attempt';
import { checksHoldFor, MAX_UNANSWERED_SENDS, sendDeadline } from '../../src/domain/attempt/limits';
import { isAnsweredSince } from '../../src/ledger';
import type { ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { type Progress, retryAfter } from '../stops';
import { startStopwatch } from '../stopwatch';
import type { BeginResult, Subject } from './subject';

/** What {@link sendOnce} did. */
type SendOnceResult =
  /** The ledger has changed since it was checked: everything must be checked again. */
  | { readonly kind: 'changed' }
  /** The ledger did not permit the row "sending". */
  | { readonly kind: 'not_permitted'; readonly result: Exclude<BeginResult, { kind: 'started' | 'changed' }> }
  /** The row was committed; `result` is whether the POST was sent, and how it was answered. */
  | { readonly kind: 'started'; readonly send: Send; readonly result: SendResult };

/**
 * Commits the row and sends. A process that was frozen while its row was being committed must not send when it wakes: another worker
 * may have settled the row as never sent by then. The time since before the commit is checked right before the first byte, so that
 * only microseconds remain unchecked.
 * @param elapsedSinceChecks real ms since consent and list were requested
 */
export async function sendOnce(
  { clock, settings }: Pick<Dependencies, 'clock' | 'settings'>,
  subject: Subject,
  knownIds: readonly string[],
  { elapsedSinceChecks, progress }: { readonly elapsedSinceChecks: () => number; readonly progress: Progress },
): Promise<SendOnceResult> {
  // Measured from before the commit: the process may be frozen at any time until it receives the answer.
  const elapsedSinceRow = startStopwatch(clock);
  const begin = await subject.begin(knownIds);
  if (begin.kind === 'changed') return begin;
  if (begin.kind !== 'started') return { kind: 'not_permitted', result: begin };
  const { send } = begin;
  progress(subject.attempt.recordKind, { ...subject.shownAs, send: send.send });
  const isFresh = () => elapsedSinceRow() < sendDeadline(settings) && elapsedSinceChecks() < checksHoldFor(settings);
  const answer = await subject.post(() => isFresh() && subject.mayLeave());
  return { kind: 'started', send, result: resultOf(answer) };
}

/** Whether the service has answered any POST readably since the last send with an unknown outcome; read only if it makes a difference. */
export async function isAnsweredSinceLast(
  ledger: Dependencies['ledger'],
  { sends, lastUnknownReal }: { readonly sends: number; readonly lastUnknownReal: number | null },
): Promise<boolean> {
  return sends >= MAX_UNANSWERED_SENDS && lastUnknownReal !== null && isAnsweredSince(ledger, lastUnknownReal);
}

function resultOf(answer: ServiceResult<ServiceRecord>): SendResult {
  switch (answer.kind) {
    case 'accepted':
      return { kind: 'accepted', made: answer.value };
    case 'rejected': {
      const { retryable, detail, description } = answer.failure;
      return { kind: 'rejected', retryable, detail, description, made: answer.value };
    }
    case 'not_sent':
      return { kind: 'not_sent', reason: answer.reason, retryAfter: retryAfter(answer) };
    case 'unknown':
      return { kind: 'unknown', reason: answer.reason, accepted: answer.accepted };
  }
}
