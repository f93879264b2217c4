import type { Send, SendResult, Shown } from '../../src/domain/attempt/attempt';
import { checksHoldFor, SENDS_IN_VAIN, sendDeadline } from '../../src/domain/attempt/limits';
import { isAnsweredSince } from '../../src/ledger';
import type { ServiceResult } from '../../src/payment-service';
import type { Dependencies } from '../dependencies';
import { type Progress, retryAfter } from '../stops';
import { startStopwatch } from './stopwatch';
import type { Subject } from './subject';

/**
 * Commits the row and sends. A process frozen since before its row was committed must not send once it wakes: by then
 * others may have settled the row as never sent. What is left is the stretch between the last check and the first byte,
 * microseconds.
 * @returns null if the ledger has changed since it was checked: all is asked for again
 * @param sinceChecks real ms since consent and list were asked for
 */
export async function sendOnce(
  { clock, settings }: Pick<Dependencies, 'clock' | 'settings'>,
  subject: Subject,
  knownIds: readonly string[],
  { sinceChecks, progress }: { readonly sinceChecks: () => number; readonly progress: Progress },
): Promise<{ readonly send: Send | null; readonly result: SendResult } | null> {
  // Begun before the row: the answer to its commit may be what a frozen process wakes to.
  const sinceRow = startStopwatch(clock);
  const begun = await subject.begin(knownIds);
  if (begun.kind === 'changed') return null;
  if (begun.kind !== 'started') return { send: null, result: begun };
  const { send } = begun;
  progress(subject.attempt.makes, { ...subject.shownAs, send: send.send });
  const isFresh = () => sinceRow() < sendDeadline(settings) && sinceChecks() < checksHoldFor(settings);
  const answer = await subject.post({ beforeSend: () => isFresh() && subject.mayLeave() });
  return { send, result: resultOf(answer) };
}

/** Whether the service has answered any POST readably since the last send whose outcome was unknown; asked only if that may matter. */
export async function isAnsweredSinceLast(
  ledger: Dependencies['ledger'],
  { sends, lastInDoubtReal }: { readonly sends: number; readonly lastInDoubtReal: number | null },
): Promise<boolean> {
  return sends >= SENDS_IN_VAIN && lastInDoubtReal !== null && isAnsweredSince(ledger, lastInDoubtReal);
}

function resultOf(answer: ServiceResult<Shown>): SendResult {
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
