import { setTimeout as pause } from 'node:timers/promises';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type Clock, createClock } from '../clock';
import { type ClockSetting, realDelay, toBusiness, HOUR, type Instant, toIso } from '../domain/time';

/**
 * The one time of a simulation: that of Temporal's time-skipping server, which is "real" time here, so that back-off
 * and settle times are skipped with everything else. The server answers its time, and between two answers runs on as
 * the machine does; it jumps only while no activity runs, so that asking at the start of each activity is enough.
 */
export interface SkippedTime {
  readonly clock: Clock;
  /** Asks the server. Code that acts outside of an activity has to call it before. */
  synchronise(): Promise<void>;
  /** Lets time pass until the instant; returns once everything due before it has begun. */
  passUntil(at: Instant): Promise<void>;
}

/** Real ms without a jump or an activity after which the server is taken to stand still for good. */
const PATIENCE = 60_000;
const LOOK = 500;
/** Beyond where time was to pass to: what was to happen in between has been missed. */
const FURTHEST = HOUR;

/** @param virtualStart business time at this moment */
export async function followSkippedTime(env: TestWorkflowEnvironment, virtualStart: Instant): Promise<SkippedTime> {
  const machine = createClock(null);
  const realStart = await env.currentTimeMs();
  const setting: ClockSetting = { virtualStart, realStart, speed: 1 };
  let ahead = realStart - machine.realNow();
  let lastSign = machine.realNow();
  const clock: Clock = {
    realNow: () => machine.realNow() + ahead,
    now: () => toBusiness(setting, machine.realNow() + ahead),
    setting,
  };
  /** An answer is a little old when it comes, so the furthest ahead is the nearest to the truth. */
  const synchronise = async () => {
    const answer = await env.currentTimeMs();
    lastSign = machine.realNow();
    ahead = Math.max(ahead, answer - lastSign);
  };
  const standsStill = async (over: AbortSignal) => {
    while (!over.aborted) {
      await pause(LOOK);
      if (machine.realNow() - lastSign > PATIENCE) {
        throw new Error(`time has stood still at ${toIso(clock.now())} for ${PATIENCE / 1000} s`);
      }
    }
  };
  const passUntil = async (at: Instant) => {
    await synchronise();
    const delay = realDelay(setting, clock.realNow(), at);
    if (delay === 0) return;
    const over = new AbortController();
    try {
      await Promise.race([env.sleep(delay), standsStill(over.signal)]);
    } finally {
      over.abort();
    }
    await synchronise();
    if (clock.now() > at + FURTHEST) throw new Error(`time has leapt to ${toIso(clock.now())} instead of ${toIso(at)}`);
  };
  return { clock, synchronise, passUntil };
}
