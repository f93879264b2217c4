import { ApplicationFailure } from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { createActivities } from '../../activities';
import { type AttemptRef, includesAttempt, type Step, type StepInput } from '../../src/contract/steps';
import type { NoticeId, SubscriptionId } from '../../src/domain/ids';
import { type Instant, toIso } from '../../src/domain/time';
import type { HandClock } from '../../src/simulation/hand-clock';

type Activities = ReturnType<typeof createActivities>;

/** What goes on by itself. Its work is done, and done anew, until it answers null: then it has ended. */
interface Process {
  wakesAt: Instant;
  work: Work;
  /** Runs of the work that were ended by a pause, and when the first began. Real ms. */
  runs: number;
  since: number;
}

/** @returns what is to be done next, and when; null if nothing is. */
type Work = () => Promise<Next | null>;

interface Next {
  readonly at: Instant;
  readonly work: Work;
}

const NEVER = Infinity;
/** Many more than there are in any life. */
const MOST_RUNS = 10_000;
/** No worker begins in the millisecond in which it is to. */
const LATENCY = 1;
const HEARTBEAT_TIMEOUT = 20_000;
const SILENT = new DefaultLogger('ERROR', () => undefined);

/**
 * Carries out the steps of subscriptions as the workflows do, with the activities of the worker, on a clock that is set by hand: one
 * thing is done after the other, and no time passes but between them.
 */
export class Conductor {
  private readonly processes = new Map<string, Process>();
  private readonly followed = new Map<SubscriptionId, readonly AttemptRef[]>();

  /** @param activities on the same clock, whose business time runs as fast as real time */
  constructor(
    private readonly clock: HandClock,
    private readonly activities: Activities,
  ) {}

  start(id: SubscriptionId): void {
    this.begin(id, () => this.ask(id));
  }

  isRunning(id: SubscriptionId): boolean {
    return this.processes.has(id);
  }

  /** A subscription leaves its timer, or the pause of its activity, and asks the ledger. */
  changed(id: SubscriptionId): void {
    if (this.isRunning(id)) this.start(id);
  }

  async passUntil(at: Instant): Promise<void> {
    for (let runs = 0; runs < MOST_RUNS; runs += 1) {
      const [next] = [...this.processes].sort(([, one], [, other]) => one.wakesAt - other.wakesAt);
      if (next === undefined || next[1].wakesAt > at) {
        this.clock.passUntil(at);
        return;
      }
      this.clock.passUntil(next[1].wakesAt + LATENCY);
      await this.run(...next);
    }
    throw new Error(`more than ${MOST_RUNS} runs of activities before ${toIso(at)}`);
  }

  private begin(name: string, work: Work, wakesAt = this.clock.now()): void {
    this.processes.set(name, { work, wakesAt, runs: 0, since: this.clock.realNow() });
  }

  /** What it is to do may be another thing once it has run: it may have been notified of a change of its own. */
  private async run(name: string, process: Process): Promise<void> {
    const isSame = () => this.processes.get(name) === process;
    if (process.runs === 0) process.since = this.clock.realNow();
    process.runs += 1;
    const { since: scheduledTimestampMs, runs: attempt } = process;
    const info = { scheduledTimestampMs, attempt, heartbeatTimeoutMs: HEARTBEAT_TIMEOUT };
    const environment = new MockActivityEnvironment(info, { logger: SILENT });
    try {
      const next = await environment.run<[], Next | null, Work>(process.work);
      if (!isSame()) return;
      if (next === null) this.processes.delete(name);
      else this.begin(name, next.work, next.at);
    } catch (error) {
      if (!(error instanceof ApplicationFailure) || error.nextRetryDelay == null) throw error;
      process.wakesAt = isSame() ? this.clock.now() + msToNumber(error.nextRetryDelay) : process.wakesAt;
    }
  }

  private ask(id: SubscriptionId): Promise<Next | null> {
    return this.then(id, this.activities.decide(this.reference(id)));
  }

  private async collect(id: SubscriptionId, attempt: AttemptRef): Promise<Next | null> {
    return this.then(id, this.activities.collectPayment({ ...this.reference(id), ...attempt }));
  }

  /** The step that an activity has ended with. */
  private async then(id: SubscriptionId, answer: Promise<Step>): Promise<Next | null> {
    const { kind, attempt, until = null, then, notices = [], beside = [] } = await answer;
    const now = this.clock.now();
    for (const noticeId of notices) this.begin(noticeId, () => this.deliver(noticeId));
    this.followed.set(
      id,
      this.reference(id).followed.filter((each) => includesAttempt(beside, each)),
    );
    switch (kind) {
      case 'finish':
        return null;
      case 'wait':
        return { at: until ?? NEVER, work: () => (then === undefined ? this.ask(id) : this.collect(id, then)) };
      case 'await_consent':
        return { at: now, work: () => this.then(id, this.activities.awaitConsent(this.reference(id))) };
      case 'cancel_consent':
        return { at: now, work: () => this.then(id, this.activities.cancelConsent(this.reference(id))) };
      case 'collect':
        return { at: now, work: () => this.collect(id, named(kind, attempt)) };
      case 'follow':
        this.follow(id, named(kind, attempt));
        return { at: now, work: () => this.ask(id) };
      case 'request_consent':
        throw new Error(`a life that begins before its consent: ${kind}`);
    }
  }

  private follow(id: SubscriptionId, attempt: AttemptRef): void {
    const work = async (): Promise<Next | null> => {
      const { kind } = await this.activities.followAttempt({ ...this.reference(id), followed: [], ...attempt });
      if (kind !== 'finish') return { at: this.clock.now(), work };
      this.changed(id);
      return null;
    };
    this.followed.set(id, [...this.reference(id).followed, attempt]);
    this.begin(`${id}/${attempt.cycle}/${attempt.attempt}`, work);
  }

  private async deliver(noticeId: NoticeId): Promise<null> {
    const changed = await this.activities.deliverNotice({ noticeId });
    if (changed !== null) this.changed(changed.subscriptionId);
    return null;
  }

  private reference(subscriptionId: SubscriptionId): StepInput {
    return { subscriptionId, revision: 0, followed: this.followed.get(subscriptionId) ?? [] };
  }
}

function named(kind: string, attempt: AttemptRef | undefined): AttemptRef {
  if (attempt === undefined) throw new Error(`a step to ${kind} without an attempt`);
  return attempt;
}
