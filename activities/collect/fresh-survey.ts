import type { Clock } from '../../src/platform/clock';
import { revived, successfulButListedFailed } from '../../src/domain/evidence';
import { type Listed, recordsNotOurs } from '../../src/domain/send';
import { type precheckAttempt, isStopped, type KnownAuthorization, type Survey } from '../../src/ledger';
import { startStopwatch } from '../stopwatch';

/** Real ms for which a survey is used: after waiting for a permit, the ledger is read again. */
const MAX_AGE = 1_000;

type Precheck = Awaited<ReturnType<typeof precheckAttempt>>;

/** What was read about an attempt before its first pass, while it is fresh. */
export class FreshSurvey {
  private readonly age: () => number;
  private isTaken = false;

  constructor(
    private readonly survey: Survey,
    private readonly clock: Clock,
  ) {
    this.age = startStopwatch(clock);
  }

  /** The facts on which a send is based: it is written only if the ledger is unchanged. */
  get basis(): Pick<Survey, 'context' | 'fingerprint'> {
    return this.survey;
  }

  /** Returns the survey once: a later pass reads again. */
  take(): Survey | undefined {
    if (this.isTaken || this.age() >= MAX_AGE) return undefined;
    this.isTaken = true;
    return this.survey;
  }

  /** What the survey says about whether a send is permitted; null if the survey is too old. */
  precheck({ revision }: { readonly revision: number }): Precheck | null {
    if (this.age() >= MAX_AGE) return null;
    const { precheck, context, current } = this.survey;
    const { terms: calendar, current: currentAmount } = current.state;
    return { ...precheck, calendar, currentAmount, isStopped: isStopped(context, revision, this.clock.now()) };
  }

  /**
   * The payment's authorizations in the ledger, if the list shows none that the ledger lacks or has in another state; otherwise null, as
   * the ledger may have changed before the list was read. Changes since then are detected under the lock, before anything is sent.
   */
  knownAuthorizations(listed: readonly Listed[] | null): readonly KnownAuthorization[] | null {
    const known = this.survey.knownAuthorizations;
    const ids = known.map(({ id }) => id);
    const isAsKnown =
      listed !== null &&
      recordsNotOurs(listed, ids, -Infinity).length === 0 &&
      revived(listed, [], known).length === 0 &&
      successfulButListedFailed(listed, known).length === 0;
    return isAsKnown ? known : null;
  }

  differsFrom(known: readonly KnownAuthorization[]): boolean {
    return JSON.stringify(known) !== JSON.stringify(this.survey.knownAuthorizations);
  }
}
