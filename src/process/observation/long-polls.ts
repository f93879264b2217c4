import { MINUTE, SECOND } from '../../domain/time';
import { repeat, type Repeated } from '../../jobs/repeated-work';

/** The polls of one task queue since the worker started, as counted by Temporal Core. */
interface PollCounts {
  readonly answered: number;
  readonly failed: number;
}

/** The state of one task queue's polls. */
interface Known extends PollCounts {
  /** When a poll was last seen answered, or watching started: monotonic clock, ms. */
  readonly answeredAt: number;
  /** Consecutive readings in which polls failed and none was answered. */
  readonly failing: number;
}

/** Real ms between two readings. */
const READ_EVERY = 15 * SECOND;
/** Real ms. A poll that finds nothing is answered after a minute. */
const MAX_SILENCE = 2 * MINUTE;
/** A single failed poll may be a closed connection; the next poll follows at once. */
const FAILING_READINGS = 2;

/**
 * Whether Temporal still answers the worker's polls. Core keeps polling while Temporal is unreachable, and reports its pollers as
 * open: only answers prove that they reach a server.
 */
export class LongPolls {
  private readonly known: Map<string, Known>;

  /** @param now a monotonic clock, ms */
  constructor(
    taskQueues: readonly string[],
    private readonly now: () => number = () => performance.now(),
  ) {
    const none = { answered: 0, failed: 0, answeredAt: now(), failing: 0 };
    this.known = new Map(taskQueues.map((each) => [each, none]));
  }

  /** @param page Core's metrics page */
  read(page: string): void {
    const counts = countPolls(page);
    for (const [taskQueue, before] of this.known) {
      const { answered, failed } = counts.get(taskQueue) ?? before;
      const isAnswered = answered > before.answered;
      this.known.set(taskQueue, {
        answered,
        failed,
        answeredAt: isAnswered ? this.now() : before.answeredAt,
        failing: isAnswered ? 0 : before.failing + (failed > before.failed ? 1 : 0),
      });
    }
  }

  /** Real seconds since a poll of each task queue was last answered. */
  ages(): ReadonlyMap<string, number> {
    const ages = [...this.known].map(([name, { answeredAt }]) => [name, (this.now() - answeredAt) / SECOND] as const);
    return new Map(ages);
  }

  /** The task queues whose polls are not answered. */
  unanswered(): readonly string[] {
    const lacks = ({ answeredAt, failing }: Known) =>
      failing >= FAILING_READINGS || this.now() - answeredAt > MAX_SILENCE;
    return [...this.known].flatMap(([name, known]) => (lacks(known) ? [name] : []));
  }
}

/** Reads the counts while the process runs. @param readCore may reject; the next reading tries again */
export function watchPolls(polls: LongPolls, readCore: () => Promise<string>): Repeated {
  return repeat(READ_EVERY, async () => {
    const page = await readCore().catch(() => '');
    polls.read(page);
  });
}

const SAMPLE = /^temporal_long_request(?<failure>_failure)?_total\{(?<labels>[^}]*)\} (?<value>\S+)$/gm;
const TASK_QUEUE = /\btask_queue="([^"]*)"/;

/** Counts by task queue. Core counts all requests, and the failed ones separately as well. */
function countPolls(page: string): ReadonlyMap<string, PollCounts> {
  const counts = new Map<string, PollCounts>();
  for (const { groups: { failure, labels = '', value } = {} } of page.matchAll(SAMPLE)) {
    const taskQueue = TASK_QUEUE.exec(labels)?.[1];
    if (taskQueue === undefined) continue;
    const { answered, failed } = counts.get(taskQueue) ?? { answered: 0, failed: 0 };
    const requests = Number(value);
    counts.set(
      taskQueue,
      failure === undefined
        ? { answered: answered + requests, failed }
        : { answered: answered - requests, failed: failed + requests },
    );
  }
  return counts;
}
