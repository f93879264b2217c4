import { setTimeout as pause } from 'node:timers/promises';
import { type ClockSetting, type Instant, toIso } from '../../src/domain/time';
import type { Program } from './program';
import type { World } from './world';

/** Granted subscriptions that wait for their first cycle; they can be started without a worker. */
export interface Batch {
  /** The beginning of the ids of its subscriptions. No prefix may be equal to another, or the beginning of another. */
  readonly prefix: string;
  readonly count: number;
  /** Business time at which the first cycle that is collected here falls due. */
  readonly firstDueAt: Instant;
  /** The number of that cycle; 0 if omitted. */
  readonly cycle?: number;
  /** A word in the ids of their payments that changes what the service does; see service.ts. */
  readonly word?: string;
  /** Temporal dispatches their first workflow task only when they fall due, so that large numbers can be started without a worker. */
  readonly wokenWhenDue?: boolean;
}

/** A program that collects due cycles: one side of a comparison. */
export interface Drainable {
  /** @param env variables that complete or replace the defaults */
  startWorker(env?: Readonly<Record<string, string>>): Promise<Program>;
  begin(batch: Batch): Promise<void>;
  /** Cycles collected so far, and when the last one was collected, in epoch ms of real time. */
  collected(batch: Batch): Promise<{ readonly count: number; readonly lastAt: number }>;
}

/** A program with a workflow for each subscription. */
export interface Contender extends Drainable {
  workflowId(batch: Batch, index: number): string;
}

export const WEEK = 7 * 24 * 60 * 60 * 1000;

export function nameOf({ prefix }: Batch, index: number): string {
  return `${prefix}-${index}`;
}

export function paymentOf({ prefix, word = 'at-once' }: Batch, index: number): string {
  return `pay-${prefix}-${word}-${index}`;
}

/** The real instant of an instant of business time, epoch ms. */
export function realOf({ clock }: Pick<World, 'clock'>, instant: Instant): number {
  return clock === null ? instant : clock.realStart + (instant - clock.virtualStart) / clock.speed;
}

/** A clock that starts now, at a fixed business time, and on which a week takes this many real ms. */
export function clockOfWeeks(ms: number): ClockSetting {
  return { virtualStart: Date.UTC(2027, 0, 15, 8), realStart: Date.now(), speed: Math.round(WEEK / ms) };
}

/** A clock as a value of `TEST_CLOCK`. */
export function clockVariable({ virtualStart, realStart, speed }: ClockSetting): string {
  return `${toIso(virtualStart)}@${toIso(realStart)}x${speed}`;
}

const BETWEEN_LOOKS = 100;

/** Waits until this many cycles of the batch are collected. @returns when the last one was collected, epoch ms of real time */
export async function untilCollected(
  contender: Drainable,
  batch: Batch,
  count: number,
  timeout: number,
): Promise<number> {
  const tooLate = performance.now() + timeout;
  for (;;) {
    const { count: done, lastAt } = await contender.collected(batch);
    if (done >= count) return lastAt;
    if (performance.now() > tooLate) throw new Error(`${done} of ${count} cycles were collected in ${timeout} ms`);
    await pause(BETWEEN_LOOKS);
  }
}

/** Real ms over which {@link untilIdle} measures whether a program is idle. */
export const AT_REST = 1000;

/** Waits until the program has used less than a twentieth of a processor for {@link AT_REST} ms. */
export async function untilIdle(program: Program): Promise<void> {
  for (let before = await program.cpu(); ;) {
    await pause(AT_REST);
    const after = await program.cpu();
    if (after - before < AT_REST / 20) return;
    before = after;
  }
}
