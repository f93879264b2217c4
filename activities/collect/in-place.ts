import type { CollectStepInput, Step } from '../../src/contract/steps';
import { SECOND } from '../../src/domain/time';
import type { Clock } from '../../src/platform/clock';
import type { Dependencies } from '../dependencies';
import type { InPlaceSlots, Polling } from '../polling';

/**
 * Real ms after which an attempt within a workflow task starts no further request: a task that lasts 8 s is renewed,
 * which adds three events to the history.
 */
export const MAX_TIME_IN_PLACE = 2 * SECOND;

/** Thrown to leave the rest of an attempt within a workflow task to the queue. */
export class HandOver extends Error {
  constructor() {
    super('handed over to the queue');
  }
}

/**
 * Makes an attempt within the workflow task of its subscription, if at least half of the slots stay free, a permit is
 * free immediately and the bank answers soon, as it did for the attempts of the last minute. Otherwise the workflow must collect on the queue, where the activity
 * continues from the attempt's row. The attempt may run twice, and in parallel to one on the queue: only the row
 * "sending" prevents a second POST (rule 16).
 * @throws anything that stops it: the workflow then collects on the queue
 */
export async function collectInPlace(
  deps: Dependencies,
  input: CollectStepInput,
  work: (deps: Dependencies) => Promise<Step>,
): Promise<Step> {
  const { inPlace, clock } = deps;
  if (inPlace?.hasRoom(clock.realNow()) !== true) return onQueue(input);
  try {
    return await work({ ...deps, polling: briefly(inPlace, clock) });
  } catch (error) {
    if (error instanceof HandOver) return onQueue(input);
    throw error;
  }
}

function briefly(slots: InPlaceSlots, clock: Clock): Polling {
  const startedReal = clock.realNow();
  // If the clock was set back, the time counts as over.
  const isOverIn = (ms: number) => {
    const now = clock.realNow();
    const isOver = now < startedReal || now + ms >= startedReal + MAX_TIME_IN_PLACE;
    if (isOver) slots.noteSlow(now);
    return isOver;
  };
  return {
    hold: (work) => slots.hold(work),
    wait: async (ms) => !isOverIn(ms) && slots.wait(ms),
    isOver: () => isOverIn(0),
  };
}

/**
 * The step has the newest revision that the workflow knows. The activity on the queue decides again, from the ledger.
 */
function onQueue({ cycle, attempt, revision }: CollectStepInput): Step {
  const summary = attempt === 0 ? `collect cycle ${cycle}` : `retry ${attempt} of cycle ${cycle}`;
  return { kind: 'collect', on: 'queue', revision, attempt: { cycle, attempt }, summary, details: '' };
}
