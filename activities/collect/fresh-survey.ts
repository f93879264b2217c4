import type { Clock } from '../../src/platform/clock';
import { revived, successfulButListedFailed } from '../../src/domain/evidence';
import { type Listed, recordsNotOurs } from '../../src/domain/send';
import { type precheckAttempt, isHeld, type KnownAuthorization, type Survey } from '../../src/ledger';
import { startStopwatch } from './stopwatch';

/** Real ms for which a survey is used: one that waited for a permit to call is read again. */
const HOLDS = 1_000;

type Precheck = Awaited<ReturnType<typeof precheckAttempt>>;

/** What was read of an attempt before its first pass, as long as it is fresh. */
export class FreshSurvey {
  private readonly age: () => number;
  private isTaken = false;

  constructor(
    private readonly survey: Survey,
    clock: Clock,
  ) {
    this.age = startStopwatch(clock);
  }

  /** What a send is judged by: it is written only if the ledger still says so. */
  get judged(): Pick<Survey, 'ground' | 'judged'> {
    return this.survey;
  }

  /** Its row, once: a later pass reads it again. */
  take(): Survey | undefined {
    if (this.isTaken || this.age() >= HOLDS) return undefined;
    this.isTaken = true;
    return this.survey;
  }

  /** Null if it is old. */
  precheck({ revision }: { readonly revision: number }): Precheck | null {
    if (this.age() >= HOLDS) return null;
    const { precheck, ground, current } = this.survey;
    const { terms: calendar, current: currentAmount } = current.state;
    return { ...precheck, calendar, currentAmount, isHeld: isHeld(ground, revision) };
  }

  /**
   * Every authorization that the ledger has as the payment's own, if the list shows nothing that it lacks or has otherwise; null if it
   * may have changed before the list was read. Whether it has changed since is judged under the lock, before anything is sent.
   */
  own(listed: readonly Listed[] | null): readonly KnownAuthorization[] | null {
    const { own } = this.survey;
    const ids = own.map(({ id }) => id);
    const isAsKnown =
      listed !== null &&
      recordsNotOurs(listed, ids, -Infinity).length === 0 &&
      revived(listed, [], own).length === 0 &&
      successfulButListedFailed(listed, own).length === 0;
    return isAsKnown ? own : null;
  }

  differsFrom(own: readonly KnownAuthorization[]): boolean {
    return JSON.stringify(own) !== JSON.stringify(this.survey.own);
  }
}
