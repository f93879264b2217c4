/** Calls to the payment service that one activity makes at most before it pauses. */
const CALLS_PER_ACTIVITY = 5;

/** `PAYMENT_SERVICE_MAX_RPS` as Temporal holds it, over all workers of the task queue. */
export function activityRate(callsPerSecond: number | undefined): { maxTaskQueueActivitiesPerSecond?: number } {
  if (callsPerSecond === undefined) return {};
  return { maxTaskQueueActivitiesPerSecond: callsPerSecond / CALLS_PER_ACTIVITY };
}

/** Work over many payments takes the share of one activity a second, however long it lasts. */
export function longWorkRate(callsPerSecond: number | undefined): number | undefined {
  return callsPerSecond === undefined ? undefined : callsPerSecond / CALLS_PER_ACTIVITY;
}
